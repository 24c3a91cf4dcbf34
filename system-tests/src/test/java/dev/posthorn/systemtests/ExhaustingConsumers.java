package dev.posthorn.systemtests;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/** Two consumers in a small heap, one with batches, whose handler allocates all of the heap for events of one type. */
final class ExhaustingConsumers {

    static final String DOMAIN = "heap";
    static final String EXHAUST = "exhaust";
    /** Enough for events that are handled while another one exhausts the heap. */
    static final int ATTEMPTS = 5;

    private static final int PIECE = 256 << 10;

    private ExhaustingConsumers() {}

    /** The bus and the database. */
    public static void main(String[] args) throws IOException {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(args[1]);
        try (Bus bus = ConsumedBus.open(args[0]);
                Consumer<Connection> single = start(bus, "heap-single", 1, database);
                Consumer<Connection> batch = start(bus, "heap-batch", 10, database)) {
            System.out.println("consuming");
            int unused = System.in.read(); // until it is killed, or the test ends
            System.err.println("The test is gone: " + single.report() + batch.report());
        }
    }

    private static Consumer<Connection> start(Bus bus, String name, int batch, PGSimpleDataSource database) {
        ConsumerConfig config = ConsumerConfig.of(
                        Subscriber.named(name).domains(DOMAIN).concurrency(4))
                .retries(RetryPolicy.fixed(ATTEMPTS, Duration.ofMillis(200)))
                .batch(batch, Duration.ofMillis(50))
                .reportEvery(Duration.ofMillis(50));
        return Consumer.start(
                bus,
                config,
                Handlers.<Connection>none()
                        .onAll("use", EventHandler.of((event, connection) -> use(name, event, connection))),
                PostgresInbox.equipment(database, Schema.DEFAULT));
    }

    private static void use(String name, Event event, Connection connection) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO used (consumer, event) VALUES (?, ?)")) {
            insert.setString(1, name);
            insert.setObject(2, event.id());
            insert.executeUpdate();
        }
        Object[] chain = {};
        while (event.type().equals(EXHAUST)) {
            chain = new Object[] {chain, new byte[PIECE]};
        }
    }
}
