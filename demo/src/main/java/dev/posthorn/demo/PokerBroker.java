package dev.posthorn.demo;

import dev.posthorn.embeddedbrokers.EmbeddedBroker;
import dev.posthorn.embeddedbrokers.EmbeddedKafka;
import dev.posthorn.embeddedbrokers.EmbeddedPubSub;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.embeddedbrokers.EmbeddedSnsSqs;
import dev.posthorn.event.PosthornException;
import dev.posthorn.examples.poker.Poker;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRouteStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Names;
import dev.posthorn.transports.googlepubsub.GooglePubSubConfig;
import dev.posthorn.transports.googlepubsub.GooglePubSubTransport;
import dev.posthorn.transports.ipc.IpcConfig;
import dev.posthorn.transports.ipc.IpcTransport;
import dev.posthorn.transports.kafka.KafkaConfig;
import dev.posthorn.transports.memory.MemoryTransport;
import dev.posthorn.transports.postgreslog.LogDatabase;
import dev.posthorn.transports.postgreslog.PostgresLogConfig;
import dev.posthorn.transports.postgreslog.PostgresLogTransport;
import dev.posthorn.transports.rabbitmq.Endpoint;
import dev.posthorn.transports.rabbitmq.RabbitMqConfig;
import dev.posthorn.transports.rabbitmq.RabbitMqTransport;
import dev.posthorn.transports.redisstreams.RedisStreamsConfig;
import dev.posthorn.transports.redisstreams.RedisStreamsTransport;
import dev.posthorn.transports.snssqs.AwsAccess;
import dev.posthorn.transports.snssqs.SnsSqsConfig;
import dev.posthorn.transports.snssqs.SnsSqsTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Any transport, with a server of its own where it needs one. */
record PokerBroker(Bus bus, @Nullable EmbeddedBroker server) implements AutoCloseable {

    /** The names that may be chosen. */
    static final List<String> KINDS =
            List.of("memory", "ipc", "rabbitmq", "kafka", "redis-streams", "sns-sqs", "google-pubsub", "postgres-log");

    static PokerBroker open(String kind, DataSource database) {
        return switch (kind) {
            case "memory" -> new PokerBroker(MemoryTransport.builder().build(), null);
            case "ipc" -> new PokerBroker(ipc(), null);
            case "rabbitmq" -> with(EmbeddedRabbitMq::start, PokerBroker::rabbitMq);
            case "kafka" ->
                with(
                        EmbeddedKafka::start,
                        kafka -> KafkaConfig.of(kafka.address(), Poker.PREFIX).build());
            case "redis-streams" ->
                with(
                        () -> EmbeddedRedis.start(Map.of("appendfsync", "always")),
                        redis -> new RedisStreamsTransport(RedisStreamsConfig.at("redis://127.0.0.1:" + redis.port())
                                .names(Names.withPrefix(Poker.PREFIX))));
            case "sns-sqs" -> with(EmbeddedSnsSqs::start, PokerBroker::snsSqs);
            case "google-pubsub" ->
                with(
                        EmbeddedPubSub::start,
                        pubSub -> new GooglePubSubTransport(
                                GooglePubSubConfig.parse("pubsub://demo-poker?emulator=" + pubSub.address())
                                        .prefix(Poker.PREFIX)));
            case "postgres-log" -> new PokerBroker(log(database), null);
            default ->
                throw new PosthornException("There is no transport \"" + kind + "\". Choose one of " + KINDS + ".");
        };
    }

    private static <S extends EmbeddedBroker> PokerBroker with(Supplier<S> start, Function<S, Bus> open) {
        S server = start.get();
        try {
            return new PokerBroker(open.apply(server), server);
        } catch (RuntimeException failed) {
            server.close();
            throw failed;
        }
    }

    private static Bus ipc() {
        try {
            return new IpcTransport(IpcConfig.in(Files.createTempDirectory("poker")));
        } catch (IOException e) {
            throw new PosthornException("There is no place for the sockets: " + e.getMessage(), e);
        }
    }

    private static Bus rabbitMq(EmbeddedRabbitMq rabbit) {
        Endpoint.Login admin = new Endpoint.Login(User.ADMIN.name(), User.ADMIN.password());
        return new RabbitMqTransport(
                RabbitMqConfig.of(Endpoint.of(rabbit.host() + ":" + rabbit.port(), admin), Poker.PREFIX));
    }

    private static Bus snsSqs(EmbeddedSnsSqs emulator) {
        AwsAccess access =
                AwsAccess.in("eu-central-1").endpoint(emulator.endpoint()).credentials("any", "any");
        return new SnsSqsTransport(SnsSqsConfig.of(access).prefix(Poker.PREFIX));
    }

    /** Another log beside the first one: nothing but Postgres. */
    private static Bus log(DataSource database) {
        Schema schema = new Schema("poker_bus");
        new Migrations(schema).besideOtherLogs().migrate(database);
        return PostgresLogTransport.over(
                new LogDatabase(
                        database,
                        new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(schema)),
                        PostgresRouteStores.of(database, schema)),
                PostgresLogConfig.standard().withPrefix(Poker.PREFIX));
    }

    @Override
    public void close() {
        bus.close();
        if (server != null) {
            server.close();
        }
    }
}
