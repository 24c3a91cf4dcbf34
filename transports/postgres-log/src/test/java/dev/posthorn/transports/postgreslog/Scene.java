package dev.posthorn.transports.postgreslog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.postgres.PostgresInspection;
import dev.posthorn.postgres.PostgresRouteStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Subscriber;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

/** A log of its own on a server that a test class shares, with a table for what handlers do. */
final class Scene implements AutoCloseable {

    /** What a handler did, in the order in which it was done. Nothing keeps it from being done twice. */
    record Effect(UUID event, String key, long sequence) {}

    private final PostgresBroker broker;
    private final String prefix = "s" + UUID.randomUUID().toString().substring(0, 8);
    private final Schema schema;
    private final Deque<Runnable> open = new ArrayDeque<>();

    Scene(PostgresBroker broker) {
        this.broker = broker;
        this.schema = broker.schemaOf(prefix);
        run("CREATE TABLE " + prefix + ".effect (n bigint GENERATED ALWAYS AS IDENTITY, event uuid, key text,"
                + " sequence bigint)");
    }

    PostgresLogConfig config() {
        return PostgresBroker.config(prefix);
    }

    Schema schema() {
        return schema;
    }

    String prefix() {
        return prefix;
    }

    PostgresBroker broker() {
        return broker;
    }

    LogDatabase database(DataSource dataSource) {
        return new LogDatabase(dataSource, broker.outbox(prefix), PostgresRouteStores.of(dataSource, schema));
    }

    PostgresLogTransport bus() {
        return bus(broker.pool(), config());
    }

    PostgresLogTransport bus(DataSource dataSource, PostgresLogConfig config) {
        PostgresLogTransport bus = PostgresLogTransport.over(database(dataSource), config);
        open.push(bus::close);
        return bus;
    }

    PostgresInspection inspection() {
        return new PostgresInspection(broker.own(), schema);
    }

    String routeOf(Subscriber subscriber) {
        return config().routeOf(subscriber);
    }

    // ---- events

    static List<Event> events(int count, int keys) {
        return eventsFrom(0, count, keys);
    }

    static List<Event> eventsFrom(int first, int count, int keys) {
        List<Event> events = new ArrayList<>();
        for (int i = first; i < first + count; i++) {
            events.add(Event.of("orders", "Placed")
                    .key("key-" + i % keys)
                    .sequence(i)
                    .payload(("number " + i).getBytes(UTF_8), "text/plain")
                    .build());
        }
        return events;
    }

    /** As an application does it: in a transaction of its own, without a publisher. */
    void emit(List<Event> events) {
        try (Connection connection = broker.own().getConnection()) {
            connection.setAutoCommit(false);
            broker.outbox(prefix).emit(connection, events);
            connection.commit();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- effects

    void effect(Event event, Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO " + prefix + ".effect (event, key, sequence) VALUES (?, ?, ?)")) {
            insert.setObject(1, event.id());
            insert.setString(2, event.key().orElse(""));
            insert.setLong(3, event.sequence().orElse(0));
            insert.executeUpdate();
        }
    }

    List<Effect> effects() {
        try (Connection connection = broker.own().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT event, key, sequence FROM " + prefix + ".effect ORDER BY n")) {
            List<Effect> effects = new ArrayList<>();
            while (rows.next()) {
                effects.add(new Effect(rows.getObject(1, UUID.class), rows.getString(2), rows.getLong(3)));
            }
            return effects;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same, and in the order of each key. */
    void awaitExactly(List<Event> events, Subscriber subscriber, Duration patience) {
        awaitExactlyInAnyOrder(events, subscriber, patience);
        Map<String, List<Long>> byKey = new LinkedHashMap<>();
        effects()
                .forEach(effect -> byKey.computeIfAbsent(effect.key(), any -> new ArrayList<>())
                        .add(effect.sequence()));
        assertThat(byKey.values()).allSatisfy(ofKey -> assertThat(ofKey).isSorted());
    }

    /** Waits until the route has passed everything and says so in the database; then each event has its effect, once. */
    void awaitExactlyInAnyOrder(List<Event> events, Subscriber subscriber, Duration patience) {
        Await.within(
                patience,
                () -> "all events to have their effect, so far " + effects().size() + " of " + events.size() + ", "
                        + inspection().offWay() + inspection().blockedKeys(5),
                () -> effects().size() >= events.size() && isDrained(subscriber));
        assertThat(effects().stream().map(Effect::event))
                .containsExactlyInAnyOrderElementsOf(
                        events.stream().map(Event::id).toList());
    }

    /** How the route stands, for a test that waits in vain. */
    String describe(Subscriber subscriber) {
        return ": "
                + texts("SELECT state, count(*), min(last_error) FROM " + prefix + ".outbox_status WHERE route = '"
                        + routeOf(subscriber) + "' GROUP BY state")
                + texts("SELECT owner, array_agg(lane), max(expires_at - now()) FROM " + prefix
                        + ".lease GROUP BY owner")
                + texts("SELECT lane, count(*) FROM " + prefix + ".blocked_key GROUP BY lane");
    }

    private List<String> texts(String sql) {
        try (Connection connection = broker.own().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT t::text FROM (" + sql + ") AS t")) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Nothing is pending on the route by its own account. */
    boolean isDrained(Subscriber subscriber) {
        return count("SELECT count(*) FROM " + prefix + ".outbox_status WHERE route = '" + routeOf(subscriber)
                        + "' AND state NOT IN ('SENT', 'FAILED')")
                == 0;
    }

    long count(String sql) {
        try (Connection connection = broker.own().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void run(String sql) {
        try (Connection connection = broker.own().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Takes every lane away from whoever has it, as after a pause that outlasted the lease. */
    void fence() {
        run("UPDATE " + prefix + ".lease SET owner = NULL, epoch = epoch + 1");
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            open.pop().run();
        }
    }
}
