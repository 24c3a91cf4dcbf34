package dev.posthorn.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.DatabaseUrl;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRouteStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Transport;
import dev.posthorn.transports.googlepubsub.GooglePubSubConfig;
import dev.posthorn.transports.googlepubsub.GooglePubSubTransport;
import dev.posthorn.transports.ipc.IpcConfig;
import dev.posthorn.transports.ipc.IpcTransport;
import dev.posthorn.transports.ipc.Shape;
import dev.posthorn.transports.kafka.KafkaConfig;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/** Addresses of brokers, each with the defaults of its transport. */
final class BrokerChoice {

    private static final String KAFKA = "kafka://";
    private static final String IPC = "ipc:";
    private static final String IPC_PEERS = "ipc-peers:";
    private static final String SNS_SQS = "sns-sqs://";
    private static final int CONNECTIONS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private BrokerChoice() {}

    /** Empty if it is no broker's address; fails if it is one and wrong. */
    static Optional<TransportChoice.Opener> of(String address) {
        try {
            return read(address);
        } catch (PosthornException wrong) {
            throw new TypeConversionException(String.valueOf(wrong.getMessage()));
        }
    }

    private static Optional<TransportChoice.Opener> read(String address) {
        if (address.startsWith(KAFKA) && address.length() > KAFKA.length()) {
            String servers = address.substring(KAFKA.length());
            return Optional.of(settings -> {
                KafkaConfig config = KafkaConfig.of(servers, settings.prefix());
                return config.names(settings.names().applied(config.names()))
                        .client(settings.properties())
                        .provision(settings.provisioning())
                        .build();
            });
        }
        if (address.startsWith("amqp://") || address.startsWith("amqps://")) {
            Endpoint endpoint = Endpoint.parse(address);
            return Optional.of(settings -> new RabbitMqTransport(settings.layout()
                    .applied(RabbitMqConfig.of(endpoint, settings.prefix()))
                    .named(settings.names())
                    .provision(settings.provisioning())));
        }
        if (address.startsWith("redis://") || address.startsWith("rediss://")) {
            RedisStreamsConfig config = RedisStreamsConfig.at(address);
            return Optional.of(settings -> {
                RedisStreamsConfig laidOut = settings.layout().applied(config, settings.prefix());
                return new RedisStreamsTransport(
                        laidOut.names(settings.names().applied(laidOut.names())).provision(settings.provisioning()));
            });
        }
        if (address.startsWith(IPC) && address.length() > IPC.length()) {
            return Optional.of(ipc(address.substring(IPC.length()), Shape.FIRST_HOSTS));
        }
        if (address.startsWith(IPC_PEERS) && address.length() > IPC_PEERS.length()) {
            return Optional.of(ipc(address.substring(IPC_PEERS.length()), Shape.PEERS));
        }
        if (address.startsWith(SNS_SQS) || address.startsWith("arn:")) {
            SnsSqsConfig config = snsSqs(address);
            boolean named = address.startsWith("arn:");
            return Optional.of(settings -> new SnsSqsTransport(
                    named
                            ? config.names(
                                    config.names().topics(settings.names().topics()))
                            : config.names(settings.names().applied(SnsSqsConfig.names(settings.prefix())))
                                    .provision(settings.provisioning())));
        }
        if (address.startsWith("pubsub://")) {
            GooglePubSubConfig config = GooglePubSubConfig.parse(address);
            return Optional.of(settings -> {
                GooglePubSubConfig prefixed = config.prefix(settings.prefix());
                return new GooglePubSubTransport(prefixed.names(settings.names().applied(prefixed.names()))
                        .provision(settings.provisioning()));
            });
        }
        if (address.startsWith("postgres") || address.startsWith("jdbc:postgresql:")) {
            DatabaseUrl url = DatabaseUrl.parse(address);
            return Optional.of(settings -> log(url, settings));
        }
        return Optional.empty();
    }

    /** The folder keeps installations apart, so there is no prefix. */
    private static TransportChoice.Opener ipc(String folder, Shape shape) {
        IpcConfig config = IpcConfig.in(Path.of(folder)).shape(shape);
        return settings -> new IpcTransport(config);
    }

    /** A region, or a topic that exists; with the number of the account and an endpoint other than Amazon's, or without. */
    private static SnsSqsConfig snsSqs(String address) {
        int question = address.indexOf('?');
        String place = question < 0 ? address : address.substring(0, question);
        SnsSqsConfig config = place.startsWith(SNS_SQS)
                ? SnsSqsConfig.of(AwsAccess.in(place.substring(SNS_SQS.length())))
                : SnsSqsConfig.ofTopic(place);
        return question < 0 ? config : config.options(address.substring(question + 1));
    }

    /** The log of another database, in its default schema. */
    private static Transport log(DatabaseUrl url, TransportChoice.Settings settings) {
        HikariConfig pool = new HikariConfig();
        pool.setPoolName("posthorn-destination");
        pool.setJdbcUrl(url.jdbcUrl());
        pool.setDataSourceProperties(url.properties(Map.of("connectTimeout", "5", "socketTimeout", "30")));
        pool.setMaximumPoolSize(CONNECTIONS);
        pool.setConnectionTimeout(PATIENCE.toMillis());
        pool.setInitializationFailTimeout(-1);
        HikariDataSource database = new HikariDataSource(pool);
        return new OwningTransport(
                PostgresLogTransport.over(
                        new LogDatabase(
                                database,
                                new PostgresOutbox(PostgresOutboxConfig.DEFAULT),
                                PostgresRouteStores.of(database, Schema.DEFAULT)),
                        PostgresLogConfig.standard()
                                .withPrefix(settings.prefix())
                                .withProvision(settings.provisioning())),
                database);
    }
}
