package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.Schema;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Subscriber;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * A deployment that adds a handler while events flow: an old member of the consumer, which lacks the handler, and a new one run
 * side by side, then the old one ends.
 */
@Tag("slow")
@Tag("exact")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RollingDeploy {

    private static final String OLD = "order.placed";
    private static final String ADDED = "order.rated";
    private static final int KEYS = 12;
    private static final int EACH = 200;

    private final HikariDataSource pool = new HikariDataSource();
    private EmbeddedPostgres postgres;

    /** Starts the broker once; skips where it is not installed. */
    abstract void startBroker(HikariDataSource database);

    /** A connection to the broker, as each process has one. */
    abstract Bus open();

    abstract void endBroker();

    @BeforeAll
    void start() {
        postgres = EmbeddedPostgres.builder().setting("shared_buffers", "64MB").start();
        pool.setJdbcUrl(postgres.createDatabase("shop"));
        pool.setMaximumPoolSize(60);
        new Migrations(Schema.DEFAULT).migrate(pool);
        run("CREATE TABLE effect (n bigint GENERATED ALWAYS AS IDENTITY, handler text, event uuid, key text)");
        startBroker(pool);
    }

    @AfterAll
    void end() {
        endBroker();
        pool.close();
        if (postgres != null) {
            postgres.close();
        }
    }

    private static EventHandler<Connection> effect(String handler) {
        return EventHandler.of((event, connection) -> write(handler, event, connection));
    }

    private static void write(String handler, Event event, Connection connection) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO effect (handler, event, key) VALUES (?, ?, ?)")) {
            insert.setString(1, handler);
            insert.setObject(2, event.id());
            insert.setString(3, event.key().orElseThrow());
            insert.executeUpdate();
        }
    }

    private Consumer<Connection> member(Bus bus, ConsumerConfig config, Handlers<Connection> handlers) {
        return Consumer.start(bus, config, handlers, PostgresInbox.equipment(pool, Schema.DEFAULT));
    }

    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void theNewHandlerSeesEveryEventOnceInTheOrderOfItsKey() {
        ConsumerConfig config =
                ConsumerConfig.of(Subscriber.named("ratings").domains("single").drainTime(Duration.ofSeconds(20)));
        deploy(config, config, "single");
    }

    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void theSameWhereTheFilterOfTheOldMemberLeavesTheTypeOut() {
        ConsumerConfig before = ConsumerConfig.of(
                Subscriber.named("filters").domains("filter").types(OLD).drainTime(Duration.ofSeconds(20)));
        ConsumerConfig after = ConsumerConfig.of(
                Subscriber.named("filters").domains("filter").types(OLD, ADDED).drainTime(Duration.ofSeconds(20)));
        deploy(before, after, "filter");
    }

    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void theSameInBatches() {
        ConsumerConfig config = ConsumerConfig.of(
                        Subscriber.named("stars").domains("batch").drainTime(Duration.ofSeconds(20)))
                .batch(10, Duration.ofMillis(20));
        deploy(config, config, "batch");
    }

    private void deploy(ConsumerConfig oldConfig, ConsumerConfig newConfig, String name) {
        run("TRUNCATE effect");
        Handlers<Connection> before = Handlers.<Connection>none().on(OLD, "ship", effect("ship"));
        Handlers<Connection> after = before.on(ADDED, "rate", effect("rate"));
        List<Event> published = new ArrayList<>();
        try (Bus oldBus = open();
                Bus newBus = open();
                PatientPublisher publisher = new PatientPublisher(newBus.publisher())) {
            Consumer<Connection> old = member(oldBus, oldConfig, before);
            published.addAll(load(publisher, name, List.of(OLD), KEYS)); // it is at work on every shard
            Await.until(() -> old.report().toString(), () -> effects().size() == published.size());
            try (Consumer<Connection> added = member(newBus, newConfig, after)) {
                published.addAll(load(publisher, name, List.of(OLD, ADDED), EACH));
                old.close();
                published.addAll(load(publisher, name, List.of(OLD, ADDED), EACH / 4));
                awaitEffects(published, added);
            }
        }

        assertThat(effects()).as("each effect once").hasSize(published.size());
        assertThat(ofKeys("SELECT key || ' ' || event FROM effect ORDER BY n"))
                .as("in the order of the key")
                .isEqualTo(ofKeys(published));
        assertThat(rows("SELECT type FROM posthorn.unhandled_event")).isEmpty();
        assertThat(rows("SELECT reason FROM posthorn.dead_letter")).isEmpty();
    }

    private void awaitEffects(List<Event> published, Consumer<Connection> added) {
        try {
            Await.within(
                    Duration.ofMinutes(1),
                    () -> added.report().toString(),
                    () -> effects().size() >= published.size());
        } finally {
            long wanted = published.stream()
                    .filter(event -> event.type().equals(ADDED))
                    .count();
            System.out.printf(
                    "rolling deploy on %s: the new handler saw %s of %d events, the old one %s%n",
                    getClass().getSimpleName(),
                    rows("SELECT count(*) FROM effect WHERE handler = 'rate'"),
                    wanted,
                    rows("SELECT count(*) FROM effect WHERE handler = 'ship'"));
        }
    }

    /** Publishes so many of each type, in turn, over keys that the types share; returns when all are accepted. */
    private static List<Event> load(PatientPublisher publisher, String domain, List<String> types, int each) {
        List<Event> all = new ArrayList<>();
        for (int i = 0; i < each; i += KEYS) {
            List<Event> chunk = new ArrayList<>();
            for (int key = 0; key < Math.min(KEYS, each - i); key++) {
                for (String type : types) {
                    chunk.add(Event.of(domain, type)
                            .key(domain + "-" + key)
                            .json("{}")
                            .build());
                }
            }
            publisher.publish(chunk);
            Await.until("all are accepted", () -> publisher.left() == 0);
            all.addAll(chunk);
        }
        return all;
    }

    private void run(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private List<String> rows(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> all = new ArrayList<>();
            while (rows.next()) {
                all.add(rows.getString(1));
            }
            return all;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** What was started; a test without it is skipped and says why, or fails with CI=true. */
    static <T> T orSkip(Supplier<T> start) {
        try {
            return start.get();
        } catch (PosthornException missing) {
            if ("true".equals(System.getenv("CI"))) {
                throw missing;
            }
            System.out.println("skipped: " + missing.getMessage());
            return Assumptions.abort(String.valueOf(missing.getMessage()));
        }
    }

    private List<String> effects() {
        return rows("SELECT event FROM effect");
    }

    /** Lines of "key event", grouped by key in their order. */
    private List<String> ofKeys(String sql) {
        return grouped(rows(sql));
    }

    private static List<String> ofKeys(List<Event> events) {
        return grouped(events.stream()
                .map(event -> event.key().orElseThrow() + " " + event.id())
                .toList());
    }

    private static List<String> grouped(List<String> lines) {
        return lines.stream()
                .collect(Collectors.groupingBy(line -> line.substring(0, line.indexOf(' '))))
                .values()
                .stream()
                .flatMap(List::stream)
                .sorted((one, other) ->
                        one.substring(0, one.indexOf(' ')).compareTo(other.substring(0, other.indexOf(' '))))
                .toList();
    }
}
