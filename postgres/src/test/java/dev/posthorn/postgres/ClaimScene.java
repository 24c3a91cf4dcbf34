package dev.posthorn.postgres;

import dev.posthorn.claimcheck.ClaimCheck;
import dev.posthorn.claimcheck.ClaimCheckConfig;
import dev.posthorn.claimcheck.ClaimingOutbox;
import dev.posthorn.claimcheck.PayloadCollector;
import dev.posthorn.claimcheck.PayloadKey;
import dev.posthorn.event.Event;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.testkit.MemoryPayloadStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.sql.DataSource;

/** A log with a store of payloads beside it. */
final class ClaimScene {

    static final int LARGE = 200_000;

    /** Everything is old enough. */
    static final PayloadCollector.Limits AT_ONCE = new PayloadCollector.Limits(Duration.ZERO, Duration.ZERO);

    final TestPostgres postgres;
    final MemoryPayloadStore store = new MemoryPayloadStore();
    final PostgresClaims register;
    final Outbox outbox;
    final ClaimCheck check = new ClaimCheck(store, ClaimCheckConfig.DEFAULT);
    private final Random random = new Random(7);

    ClaimScene(TestPostgres postgres) {
        this(postgres, postgres.dataSource());
    }

    ClaimScene(TestPostgres postgres, DataSource as) {
        this.postgres = postgres;
        this.register = new PostgresClaims(as, Schema.DEFAULT);
        this.outbox = new ClaimingOutbox(
                new PostgresOutbox(PostgresOutboxConfig.DEFAULT), store, register, ClaimCheckConfig.DEFAULT);
    }

    Event large(String key) {
        return of(key, LARGE);
    }

    Event of(String key, int size) {
        byte[] payload = new byte[size];
        random.nextBytes(payload);
        return Event.of("orders", "order.placed")
                .key(key)
                .header("origin", "test")
                .payload(payload, "image/png")
                .build();
    }

    static PayloadKey keyOf(Event event) {
        return PayloadKey.of(event.payload());
    }

    void emit(Event... events) throws SQLException {
        try (Connection connection = postgres.transaction()) {
            outbox.emit(connection, Arrays.asList(events));
            connection.commit();
        }
    }

    /** As any producer in SQL would: with all bytes in the row. */
    void insert(Event event) throws SQLException {
        try (Connection connection = postgres.transaction()) {
            new PostgresOutbox(
                            PostgresOutboxConfig.DEFAULT.withMaxPayloadBytes(PostgresOutboxConfig.MOST_PAYLOAD_BYTES))
                    .emit(connection, event);
            connection.commit();
        }
    }

    /** The events as they are in the log. */
    List<Event> logged() {
        String fetch = EventRows.withEvent(Sql.load("fetch_events", Schema.DEFAULT), Schema.DEFAULT);
        try (Connection connection = postgres.transaction();
                PreparedStatement statement = connection.prepareStatement(fetch)) {
            List<String> ids = TestPostgres.rows(connection, "SELECT id FROM posthorn.outbox ORDER BY seq");
            new Parameters(statement).array("uuid", ids);
            List<Event> events = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    events.add(EventRows.read(rows, 0).event());
                }
            }
            return events;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    PayloadCollector collector() {
        return collector(AT_ONCE);
    }

    /** At a time at which whatever was written up to now is older than any grace. */
    PayloadCollector collector(PayloadCollector.Limits limits) {
        return new PayloadCollector(
                store,
                register,
                limits,
                Clock.offset(Clock.systemUTC(), limits.grace().plusSeconds(1)));
    }

    List<String> rows(String sql) {
        try {
            return postgres.rows(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
