package dev.posthorn.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RetryPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;

/** A database, an outbox and as many relays as a test wants; closes all of them. */
final class RelayHarness implements AutoCloseable {

    static final String ROUTE = "main";

    final TestPostgres postgres = TestPostgres.migrated();
    final HikariDataSource pool;
    final Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
    RelayConfig config = RelayConfig.standard();
    RoutePolicy policy = RoutePolicy.standard().withRetry(RetryPolicy.fixed(4, Duration.ofMillis(20)));
    private final List<Relay> relays = new ArrayList<>();

    RelayHarness() {
        this(TestPostgres::dataSource);
    }

    /** With relays that reach the database in this way. */
    RelayHarness(Function<TestPostgres, DataSource> way) {
        this(way, Duration.ofSeconds(30));
    }

    /** With relays that wait so long for a connection. */
    RelayHarness(Function<TestPostgres, DataSource> way, Duration patience) {
        HikariConfig hikari = new HikariConfig();
        hikari.setConnectionTimeout(patience.toMillis());
        hikari.setDataSource(way.apply(postgres));
        hikari.setMaximumPoolSize(24);
        hikari.setMinimumIdle(0);
        hikari.setIdleTimeout(10_000);
        pool = new HikariDataSource(hikari);
    }

    Relay startRelay(String name, Publisher publisher) {
        Relay relay = Relay.start(
                PostgresRelayStores.open(
                        pool, Schema.DEFAULT, Route.named(ROUTE).fromBeginning(), name),
                publisher,
                config,
                policy);
        relays.add(relay);
        return relay;
    }

    void emit(Event... events) {
        emit(Arrays.asList(events));
    }

    void emit(List<Event> events) {
        try (Connection connection = postgres.transaction()) {
            outbox.emit(connection, events);
            connection.commit();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The event's state on the route, as the view tells it. */
    Map<String, String> status(Event event) {
        List<String> rows = rows("SELECT state, attempts, coalesce(last_error, ''), published_at IS NOT NULL"
                + " FROM posthorn.outbox_status WHERE id = '" + event.id() + "'");
        String[] row = rows.get(0).split("\\|", -1);
        return Map.of("state", row[0], "attempts", row[1], "last_error", row[2], "published", row[3]);
    }

    /** What the database answers, for conditions that are waited for. */
    List<String> rows(String sql) {
        try {
            return postgres.rows(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    String state(Event event) {
        return status(event).getOrDefault("state", "");
    }

    @Override
    public void close() {
        relays.forEach(Relay::close);
        pool.close();
    }
}
