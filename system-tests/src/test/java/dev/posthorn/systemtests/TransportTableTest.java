package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRouteStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Transport;
import dev.posthorn.transports.file.FileTransport;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** The README's table of transports is made from what they declare; {@code -Dposthorn.docs.update=true} writes it. */
class TransportTableTest {

    private static final String BEGIN = "<!-- transports -->\n";
    private static final String END = "<!-- end of transports -->\n";

    @TempDir
    private Path folder;

    private final List<Transport> transports = new ArrayList<>();

    /** None of them connects to anything before it is used. */
    @BeforeEach
    void open() {
        transports.add(MemoryTransport.builder().build());
        transports.add(new FileTransport(folder.resolve("events.jsonl")));
        transports.add(new IpcTransport(IpcConfig.in(folder.resolve("ipc"))));
        transports.add(
                new RabbitMqTransport(RabbitMqConfig.of(Endpoint.parse("amqp://user:password@127.0.0.1"), "table")));
        transports.add(KafkaConfig.of("127.0.0.1:9092", "table").build());
        transports.add(new RedisStreamsTransport(RedisStreamsConfig.at("redis://127.0.0.1")));
        transports.add(new SnsSqsTransport(SnsSqsConfig.of(AwsAccess.in("eu-central-1"))));
        transports.add(
                new GooglePubSubTransport(GooglePubSubConfig.parse("pubsub://posthorn-table?emulator=127.0.0.1:1")));
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        transports.add(PostgresLogTransport.over(
                new LogDatabase(
                        nowhere,
                        new PostgresOutbox(PostgresOutboxConfig.DEFAULT),
                        PostgresRouteStores.of(nowhere, Schema.DEFAULT)),
                PostgresLogConfig.standard()));
    }

    @AfterEach
    void close() {
        transports.forEach(Transport::close);
    }

    @Test
    void theTableOfTransportsIsWhatTheyDeclare() throws IOException {
        Path file = Modules.root().resolve("README.md");
        String readme = Files.readString(file);
        int begin = readme.indexOf(BEGIN) + BEGIN.length();
        int end = readme.indexOf(END);
        assertThat(end).as("the place of the table").isGreaterThanOrEqualTo(begin);
        if (Boolean.getBoolean("posthorn.docs.update")) {
            Files.writeString(file, readme.substring(0, begin) + table() + readme.substring(end));
            return;
        }
        assertThat(readme.substring(begin, end)).isEqualTo(table());
    }

    private String table() {
        return row("", Transport::name)
                + "|---".repeat(transports.size() + 1) + "|\n"
                + row("receives", transport -> yesOrNo(transport instanceof Bus))
                + declared("ordered by key", Capabilities::ordered)
                + declared("durable", Capabilities::durable)
                + declared("redelivers", Capabilities::redelivers)
                + declared("delays natively", Capabilities::delaysNatively)
                + declared("reports unroutable", Capabilities::reportsUnroutable)
                + declared("drops repeats", can -> !can.nativeDedupWindow().isZero())
                + row(
                        "largest payload",
                        transport -> bytes(transport.capabilities().maxMessageBytes()));
    }

    private String declared(String name, Function<Capabilities, Boolean> can) {
        return row(name, transport -> yesOrNo(can.apply(transport.capabilities())));
    }

    private String row(String name, Function<Transport, String> cell) {
        return transports.stream().map(cell).collect(Collectors.joining(" | ", "| " + name + " | ", " |\n"));
    }

    private static String yesOrNo(boolean yes) {
        return yes ? "yes" : "no";
    }

    private static String bytes(long bytes) {
        if (bytes >= Integer.MAX_VALUE) {
            return "any";
        }
        return bytes % (1 << 20) == 0 ? (bytes >> 20) + " MiB" : String.format("%,d bytes", bytes);
    }
}
