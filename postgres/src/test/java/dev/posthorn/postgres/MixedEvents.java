package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventBuilder;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** Events of every kind and a destination that fails or refuses some of them: whatever a relay can meet. */
final class MixedEvents {

    private static final int KEYS = 40;

    private final DataSource database;
    private final Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
    private final Map<String, Long> versions = new HashMap<>();
    private final List<Event> arrived = Collections.synchronizedList(new ArrayList<>());
    private final Map<UUID, Integer> tries = new HashMap<>();
    private final Set<UUID> answered = new HashSet<>();
    private final AtomicLong emitted = new AtomicLong();

    MixedEvents(DataSource database) {
        this.database = database;
    }

    RecordingTransport transport() {
        return RecordingTransport.answering(this::answer);
    }

    /** What the destination has accepted so far. */
    List<Event> arrived() {
        synchronized (arrived) {
            return List.copyOf(arrived);
        }
    }

    /** Keyed, keyless, failing twice, refused and scheduled ones, and some that are rolled back. */
    void emit() throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < 2 * KEYS; i++) {
                String type = i % 17 == 3 ? "failing" : i % 41 == 7 ? "refused" : "fine";
                String key = "key-" + i % KEYS;
                events.add(Event.of("shop", type)
                        .key(key)
                        .sequence(versions.merge(key, 1L, Long::sum))
                        .build());
            }
            for (int i = 0; i < 12; i++) {
                EventBuilder event = Event.of("shop", i == 3 ? "failing" : i == 5 ? "refused" : "fine");
                Instant due = Instant.now().plusMillis(200);
                events.add(
                        i < 9
                                ? event.build()
                                : event.key("key-" + i).deliverAfter(due).build());
            }
            outbox.emit(connection, events);
            connection.commit();
            emitted.addAndGet(events.size());
            outbox.emit(
                    connection,
                    List.of(Event.of("shop", "rolled-back").key("key-1").build()));
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** How many of the emitted ones the destination has not yet answered for good. */
    long backlog() {
        synchronized (tries) {
            return emitted.get() - answered.size();
        }
    }

    private Outcome answer(Event event, int attempt) {
        if (event.type().equals("refused")) {
            synchronized (tries) {
                answered.add(event.id());
            }
            return Outcome.refused("refused by the test");
        }
        synchronized (tries) {
            if (event.type().equals("failing") && tries.merge(event.id(), 1, Integer::sum) <= 2) {
                return Outcome.failed("failed by the test");
            }
            answered.add(event.id());
        }
        arrived.add(event);
        return Outcome.accepted();
    }

    void awaitAllSettled(TestPostgres postgres) {
        Await.untilNoneRemain("every event is SENT or FAILED", () -> unsettled(postgres));
    }

    private static Set<String> unsettled(TestPostgres postgres) {
        try {
            return new HashSet<>(postgres.rows(
                    "SELECT state, id FROM posthorn.outbox_status WHERE state NOT IN ('SENT', 'FAILED')"));
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
