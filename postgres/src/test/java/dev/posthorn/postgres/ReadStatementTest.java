package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.relay.CheckpointStore.Changes;
import dev.posthorn.relay.CheckpointStore.LaneFlush;
import dev.posthorn.relay.CheckpointStore.LaneState;
import dev.posthorn.relay.Cursor;
import dev.posthorn.relay.LeaseStore.Lease;
import dev.posthorn.relay.Log.KeyWindow;
import dev.posthorn.relay.LogEvent;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which rows the statements of the cursor find, with every transaction in the test's hand. */
class ReadStatementTest {

    private static final Changes NO_CHANGES = new Changes(List.of(), List.of(), List.of(), List.of(), List.of());

    private final TestPostgres postgres = TestPostgres.migrated();
    private final PostgresOutbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
    private final Relay.Stores stores = PostgresRelayStores.open(
            postgres.dataSource(), Schema.DEFAULT, Route.named("main").fromBeginning(), "reader");
    private final LaneReader reader = new LaneReader(stores.log(), Migrations.DEFAULT_LANES);

    @Test
    void whatCommitsLateIsReadOnceWhenItIsVisible() throws SQLException {
        try (Connection slow = postgres.transaction()) {
            List<Event> late = emit(slow, "k", 2);
            List<Event> others = emitCommitted("k", 2);
            assertThat(events(reader.drain(10))).isEqualTo(others);

            slow.commit();

            assertThat(events(reader.drain(10))).isEqualTo(late);
            assertThat(reader.drain(10)).isEmpty();
        }
    }

    @Test
    void aFullPageLeavesTheRestForTheNextRead() throws SQLException {
        List<Event> events = emitCommitted("k", 10);

        assertThat(events(reader.step(4))).isEqualTo(events.subList(0, 4));
        assertThat(events(reader.step(4))).isEqualTo(events.subList(4, 8));
        assertThat(events(reader.step(4))).isEqualTo(events.subList(8, 10));
    }

    @Test
    void aRowThatCommitsBeforeThePositionReachesItIsFreshAndNotReadTwice() throws SQLException {
        try (Connection slow = postgres.transaction()) {
            List<Event> first = emitCommitted("k", 2);
            List<Event> slowOnes = emit(slow, "k", 1);
            List<Event> last = emitCommitted("k", 2);
            assertThat(events(reader.step(2))).isEqualTo(first);

            slow.commit();

            assertThat(events(reader.drain(2))).containsExactly(slowOnes.get(0), last.get(0), last.get(1));
        }
    }

    @Test
    void rolledBackRowsAndSavepointsAreNeverRead() throws SQLException {
        try (Connection connection = postgres.transaction()) {
            emit(connection, "k", 3);
            connection.rollback();
            List<Event> kept = new ArrayList<>(emit(connection, "k", 1));
            var savepoint = connection.setSavepoint();
            emit(connection, "k", 1);
            connection.rollback(savepoint);
            connection.setSavepoint();
            kept.addAll(emit(connection, "k", 1));
            List<Event> passing = emitCommitted("k", 1);
            assertThat(events(reader.drain(10))).isEqualTo(passing);

            connection.commit();

            assertThat(events(reader.drain(10))).isEqualTo(kept);
        }
    }

    @Test
    void aPreparedTransactionIsReadWhenItIsCommittedByAnyone() throws SQLException {
        List<Event> prepared;
        try (Connection connection = postgres.transaction()) {
            prepared = emit(connection, "k", 2);
            TestPostgres.run(connection, "PREPARE TRANSACTION 'read-statement'");
        }
        List<Event> passing = emitCommitted("k", 1);
        assertThat(events(reader.drain(10))).isEqualTo(passing);

        postgres.run("COMMIT PREPARED 'read-statement'");

        assertThat(events(reader.drain(10))).isEqualTo(prepared);
    }

    @Test
    void moreLateRowsThanAPageAreReadAsOfOneMomentAndSurviveAReload() throws SQLException {
        try (Connection huge = postgres.transaction();
                Connection other = postgres.transaction()) {
            List<Event> large = emit(huge, "k", 10);
            List<Event> small = emit(other, "k", 1);
            List<Event> passing = emitCommitted("k", 1);
            assertThat(events(reader.drain(3))).isEqualTo(passing);
            huge.commit();
            List<Event> fresh = emitCommitted("k", 1);

            // When the first page is read, what was late but commits now waits for the next moment
            assertThat(reader.step(3)).as("the read that pins takes nothing").isEmpty();
            int lane = laneOf("k");
            Cursor pinned = reader.cursorOf(lane);
            assertThat(pinned.pin()).isNotNull();
            other.commit();
            assertThat(events(reader.step(3))).isEqualTo(large.subList(0, 3));
            Cursor middle = reader.cursorOf(lane);
            assertThat(middle.late()).isPositive();

            // And the cursor is stored and loaded in the middle of it
            assertThat(stored(lane, middle)).isEqualTo(middle);
            List<Event> rest = new ArrayList<>(large.subList(3, 10));
            rest.addAll(small);
            rest.addAll(fresh);
            assertThat(events(reader.drain(3))).isEqualTo(rest);
        }
    }

    @Test
    void aTransactionOpenForTenThousandOthersIsFoundByItself() throws SQLException {
        try (Connection old = postgres.transaction();
                Connection recent = postgres.transaction()) {
            List<Event> ancient = emit(old, "k", 5);
            burnTransactions(10_100);
            List<Event> late = emit(recent, "k", 1);
            List<Event> passing = emitCommitted("k", 1);
            assertThat(events(reader.drain(10))).isEqualTo(passing);
            Cursor cursor = reader.cursorOf(laneOf("k"));
            assertThat(cursor.snapshot().oldInProgress()).hasSize(1);

            old.commit();
            recent.commit();

            List<Event> all = new ArrayList<>(ancient);
            all.addAll(late);
            assertThat(window(cursor, 1)).as("the window of a blocked key").isEqualTo(all.subList(0, 1));
            assertThat(window(cursor, 10)).isEqualTo(all);
            assertThat(events(reader.drain(2))).as("paged").isEqualTo(all);
        }
    }

    @Test
    void anEventWithoutAKeyIsReadFromTheLaneOfItsId() throws SQLException {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            events.add(Event.of("shop", "seen").build());
        }
        commit(events);

        List<LogEvent> rows = reader.drain(7);

        assertThat(events(rows)).containsExactlyInAnyOrderElementsOf(events);
        assertThat(rows.stream().map(LogEvent::lane).distinct().count()).isGreaterThan(8);
    }

    @Test
    void aWindowHoldsTheKeysRowsBetweenTwoCursorsThatAreNotPassed() throws SQLException {
        try (Connection slow = postgres.transaction()) {
            emitCommitted("k", 1);
            List<Event> late = emit(slow, "k", 2);
            emitCommitted("k", 2);
            reader.drain(10);
            Cursor from = reader.cursorOf(laneOf("k"));
            slow.commit();
            emitCommitted("other", 3);
            List<Event> fresh = emitCommitted("k", 2);
            commit(List.of(Event.of("shop", "later")
                    .key("k")
                    .deliverAfter(java.time.Instant.now().plusSeconds(3_600))
                    .build()));
            reader.drain(10);
            Cursor to = reader.cursorOf(laneOf("k"));
            emitCommitted("k", 1);

            List<Event> all = new ArrayList<>(late);
            all.addAll(fresh);
            assertThat(window(from, to, 0, 10)).isEqualTo(all);
            assertThat(window(from, to, 0, 3)).isEqualTo(all.subList(0, 3));
            assertThat(window(from, to, seqOf(late.get(0)), 10)).isEqualTo(all.subList(1, 4));
            assertThat(window(from, to, seqOf(fresh.get(1)), 10)).isEmpty();
            assertThat(window(to, to, 0, 10)).isEmpty();
        }
    }

    // ---- hands

    private List<Event> emit(Connection connection, String key, int count) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(Event.of("shop", "changed").key(key).build());
        }
        outbox.emit(connection, events);
        return events;
    }

    private List<Event> emitCommitted(String key, int count) throws SQLException {
        try (Connection connection = postgres.transaction()) {
            List<Event> events = emit(connection, key, count);
            connection.commit();
            return events;
        }
    }

    private void commit(Collection<Event> events) throws SQLException {
        try (Connection connection = postgres.transaction()) {
            outbox.emit(connection, events);
            connection.commit();
        }
    }

    private void burnTransactions(int count) throws SQLException {
        postgres.run(
                "DO $$ BEGIN FOR i IN 1.." + count + " LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$");
    }

    private List<Event> window(Cursor from, int limit) {
        LaneReader now = new LaneReader(stores.log(), Migrations.DEFAULT_LANES);
        now.drain(1_000);
        return window(from, now.cursorOf(laneOf("k")), 0, limit);
    }

    private List<Event> window(Cursor from, Cursor to, long passed, int limit) {
        KeyWindow asked = new KeyWindow(laneOf("k"), "k", from, to, passed, limit);
        Map<KeyWindow, List<LogEvent>> rows =
                stores.log().readWindows(List.of(asked)).rows();
        return events(rows.getOrDefault(asked, List.of()));
    }

    /** The cursor as it comes back from a checkpoint. */
    private Cursor stored(int lane, Cursor cursor) {
        List<Lease> leases = stores.leases().acquire("reader", Migrations.DEFAULT_LANES, Duration.ofMinutes(1));
        Lease lease =
                leases.stream().filter(one -> one.lane() == lane).findFirst().orElseThrow();
        LaneState before =
                stores.checkpoints().load(stores.relay(), List.of(lease)).get(0);
        LaneFlush flush = new LaneFlush(lease, before.n() + 1, cursor, NO_CHANGES);
        assertThat(stores.checkpoints().flush("reader", before.incarnation(), List.of(flush)))
                .isEmpty();
        return stores.checkpoints().load(stores.relay(), List.of(lease)).get(0).cursor();
    }

    private int laneOf(String key) {
        return Integer.parseInt(one("SELECT min(lane) FROM posthorn.outbox WHERE key = '" + key + "'"));
    }

    private long seqOf(Event event) {
        return Long.parseLong(one("SELECT seq FROM posthorn.outbox WHERE id = '" + event.id() + "'"));
    }

    private String one(String sql) {
        try {
            return postgres.rows(sql).get(0);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static List<Event> events(List<LogEvent> rows) {
        return rows.stream().map(LogEvent::event).toList();
    }
}
