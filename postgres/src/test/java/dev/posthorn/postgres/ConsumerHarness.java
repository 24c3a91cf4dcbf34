package dev.posthorn.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** A consumer on a bus in memory whose effects are rows of a table. */
final class ConsumerHarness implements AutoCloseable {

    static final String NAME = "billing";

    final TestPostgres postgres = TestPostgres.migrated();
    final HikariDataSource pool = postgres.pool();
    final MemoryTransport bus = MemoryTransport.builder().build();
    private final PatientPublisher publisher = new PatientPublisher(bus.publisher());

    ConsumerHarness() throws SQLException {
        postgres.run("CREATE TABLE effect (handler text, event uuid, n bigint GENERATED ALWAYS AS IDENTITY)");
    }

    /** Soon again, three attempts. */
    static ConsumerConfig config() {
        return ConsumerConfig.of(Subscriber.named(NAME).domains("orders"))
                .retries(RetryPolicy.fixed(3, Duration.ofMillis(10)))
                .reportEvery(Duration.ofMillis(20));
    }

    static EventHandler<Connection> effect(String handler) {
        return EventHandler.of((event, connection) -> write(handler, event, connection));
    }

    static void write(String handler, Event event, Connection connection) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO effect (handler, event) VALUES (?, ?)")) {
            insert.setString(1, handler);
            insert.setObject(2, event.id());
            insert.executeUpdate();
        }
    }

    Consumer<Connection> start(ConsumerConfig config, Handlers<Connection> handlers) {
        return Consumer.start(bus, config, handlers, PostgresInbox.equipment(pool, Schema.DEFAULT));
    }

    static Event event(String key) {
        return Event.of("orders", "order.placed").key(key).json("{}").build();
    }

    void publish(Event... events) {
        publisher.publish(List.of(events));
        Await.until("all are accepted", () -> publisher.left() == 0);
    }

    /** In the order in which they happened. */
    List<String> effects() {
        return rows("SELECT handler || ' ' || event FROM effect ORDER BY n");
    }

    List<String> letters() {
        return rows(
                "SELECT state || ' ' || handler || ' ' || cause || ' ' || attempts || ' ' || reason FROM posthorn.dead_letter"
                        + " ORDER BY seq");
    }

    List<String> rows(String sql) {
        try {
            return postgres.rows(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        publisher.close();
        bus.close();
        pool.close();
    }
}
