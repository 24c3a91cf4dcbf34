package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.embeddedpostgres.StopMode;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.Schema;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The database of a consumer goes away under its handlers, and comes back. */
@Tag("slow")
@Tag("exact")
class ConsumerOutageTest {

    private static final int KEYS = 20;

    /** A single attempt: whatever an outage charges makes a dead letter. */
    private static final ConsumerConfig CONFIG = ConsumerConfig.of(
                    Subscriber.named("billing").domains("orders").concurrency(4))
            .retries(RetryPolicy.fixed(1, Duration.ofMillis(10)))
            .reportEvery(Duration.ofMillis(50));

    @Test
    void eachEffectHappensOnceAndNoAttemptIsCharged() throws SQLException {
        Random random = Seed.random("outages of a consumer's database");
        int restarts = Size.of(2, 4, 40);
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().start();
                HikariDataSource pool = pool(postgres);
                MemoryTransport bus = MemoryTransport.builder().build();
                PatientPublisher publisher = new PatientPublisher(bus.publisher())) {
            new Migrations(Schema.DEFAULT).migrate(pool);
            run(pool, "CREATE TABLE effect (event uuid, key text, n bigint GENERATED ALWAYS AS IDENTITY)");
            List<Event> events = new ArrayList<>();
            Consumer<Connection> consumer = Consumer.start(
                    bus,
                    CONFIG,
                    Handlers.<Connection>none().onAll("bill", EventHandler.of(ConsumerOutageTest::bill)),
                    PostgresInbox.equipment(pool, Schema.DEFAULT));
            try (consumer) {
                for (int i = 0; i < restarts; i++) {
                    List<Event> more = events(2_000);
                    events.addAll(more);
                    publisher.publish(more);
                    long goal = consumer.report().totals().handled() + random.nextInt(500);
                    Await.until(
                            "some are handled", () -> consumer.report().totals().handled() >= goal);
                    postgres.restart(i % 2 == 0 ? StopMode.IMMEDIATE : StopMode.FAST);
                }
                Await.until(
                        () -> "all " + events.size() + " are handled: " + consumer.report(),
                        () -> count(pool, "SELECT count(*) FROM effect") >= events.size());
                assertThat(consumer.report().totals().retried()).as("charged").isZero();
                assertThat(consumer.report().totals().dead()).as("dead").isZero();
            }

            assertThat(count(pool, "SELECT count(DISTINCT event) FROM effect")).isEqualTo(events.size());
            assertThat(count(pool, "SELECT count(*) FROM effect")).isEqualTo(events.size());
            assertThat(order(pool)).isEqualTo(byKey(events));
        }
    }

    private static List<Event> events(int count) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(Event.of("orders", "placed").key("key-" + i % KEYS).build());
        }
        return events;
    }

    private static void bill(Event event, Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect (event, key) VALUES (?, ?)")) {
            insert.setObject(1, event.id());
            insert.setString(2, event.key().orElseThrow());
            insert.executeUpdate();
        }
    }

    private static List<String> byKey(List<Event> events) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            String key = "key-" + i;
            events.stream()
                    .filter(event -> event.key().orElseThrow().equals(key))
                    .forEach(event -> lines.add(key + " " + event.id()));
        }
        return lines;
    }

    private static List<String> order(HikariDataSource pool) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT key || ' ' || event FROM effect ORDER BY substr(key, 5)::int, n")) {
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
        }
        return lines;
    }

    private static HikariDataSource pool(EmbeddedPostgres postgres) {
        HikariConfig hikari = new HikariConfig();
        hikari.setJdbcUrl(postgres.jdbcUrl());
        hikari.setMaximumPoolSize(10);
        return new HikariDataSource(hikari);
    }

    private static void run(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long count(HikariDataSource pool, String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException away) {
            return -1;
        }
    }
}
