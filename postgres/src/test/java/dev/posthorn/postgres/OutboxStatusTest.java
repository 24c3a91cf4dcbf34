package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.postgres.StatusFixture.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutboxStatusTest {

    private StatusFixture log;

    @BeforeEach
    void createLog() throws SQLException {
        log = new StatusFixture();
    }

    @Test
    void anEventThatNoCheckpointCoversIsPending() throws SQLException {
        log.checkpoint(0);
        assertThat(log.status(log.emit())).containsExactly("PENDING||0");
    }

    @Test
    void anEventFromBeforeTheRouteIsNotTheRoutes() throws SQLException {
        Row before = log.emit();
        log.checkpoint(0);
        log.checkpoint(1);
        assertThat(log.status(before)).isEmpty();
    }

    @Test
    void aSentEventWasPublishedAtTheFirstCheckpointThatCoversIt() throws SQLException {
        // Given
        log.checkpoint(0);
        Row first = log.emit();
        log.checkpoint(1);
        Row second = log.emit();

        // When
        for (int n = 2; n <= 9; n++) {
            log.checkpoint(n);
        }

        // Then
        assertThat(log.status(first)).containsExactly("SENT|1|1");
        assertThat(log.status(second)).containsExactly("SENT|2|1");
    }

    @Test
    void anEventThatCommitsLateIsSentWhenItIsSeenNotWhenItIsPassed() throws SQLException {
        // Given
        log.checkpoint(0);
        try (Connection slow = log.postgres.transaction()) {
            Row late = log.emit(slow, "NULL", "NULL");
            Row prompt = log.emit();
            for (int n = 1; n <= 40; n++) {
                log.checkpoint(n);
            }

            // When
            slow.commit();

            // Then
            assertThat(log.status(late)).containsExactly("PENDING||0");
            for (int n = 41; n <= 60; n++) {
                log.checkpoint(n);
            }
            assertThat(log.status(late)).containsExactly("SENT|41|1");
            assertThat(log.status(prompt)).containsExactly("SENT|1|1");
        }
    }

    @Test
    void checkpointsThatWereCompactedAwayAreSteppedOver() throws SQLException {
        // Given
        log.checkpoint(0);
        Row row = log.emit();
        for (int n = 1; n <= 30; n++) {
            log.checkpoint(n);
        }

        // When
        log.postgres.run("DELETE FROM posthorn.checkpoint WHERE n BETWEEN 1 AND 7 OR n % 5 = 3");

        // Then
        assertThat(log.status(row)).containsExactly("SENT|9|1");
    }

    @Test
    void whileALateTransactionIsPagedItsRowsAreSentUpToThePage() throws SQLException {
        // Given two rows of one transaction that commits behind the position
        log.checkpoint(0);
        try (Connection slow = log.postgres.transaction()) {
            Row first = log.emit(slow, "NULL", "NULL");
            Row second = log.emit(slow, "NULL", "NULL");
            log.emit();
            log.checkpoint(1);
            String before = log.postgres
                    .rows("SELECT snapshots[1] FROM posthorn.flush ORDER BY id DESC LIMIT 1")
                    .get(0);
            slow.commit();

            // When
            log.checkpoint(
                    2,
                    "(SELECT max(seq) FROM posthorn.outbox)",
                    "ARRAY['" + before + "'::pg_snapshot, pg_current_snapshot()]",
                    "2, " + first.seq());

            // Then
            assertThat(log.status(first)).containsExactly("SENT|2|1");
            assertThat(log.state(second)).isEqualTo("PENDING");
        }
    }

    @Test
    void attemptsThatDidNotGoThroughAreCounted() throws SQLException {
        // Given
        log.checkpoint(0);
        Row row = log.emit();
        log.checkpoint(1);

        // When
        log.postgres.run("INSERT INTO posthorn.attempt (route, seq, attempt, relay, event_id, outcome) SELECT route, "
                + row.seq() + ", 1, 'test', '" + row.id() + "', 'failed' FROM (VALUES (1), (1), (2)) r (route)");

        // Then
        assertThat(log.status(row)).containsExactly("SENT|1|3");
    }

    @Test
    void aBlockedKeyRetriesItsHeadAndParksWhatFollows() throws SQLException {
        // Given
        log.checkpoint(0);
        Row sent = log.emitWithKey("k");
        log.checkpoint(1);
        Row head = log.emitWithKey("k");
        Row follower = log.emitWithKey("k");
        Row other = log.emitWithKey("other");
        log.checkpoint(2);
        Row unread = log.emitWithKey("k");

        // When
        log.blockKey("k", 1, 2, (head.seq() - 1) + ", " + head.seq() + ", 3, '2030-01-01Z', 'refused', false");

        // Then
        assertThat(log.status(sent)).containsExactly("SENT|1|1");
        assertThat(log.status(head)).containsExactly("RETRYING||3");
        assertThat(log.status(follower)).containsExactly("PARKED||0");
        assertThat(log.status(unread)).containsExactly("PARKED||0");
        assertThat(log.status(other)).containsExactly("SENT|2|1");
        assertThat(log.postgres.rows("SELECT next_attempt AT TIME ZONE 'UTC', last_error FROM posthorn.outbox_status"
                        + " WHERE state = 'RETRYING'"))
                .containsExactly("2030-01-01 00:00:00|refused");
    }

    @Test
    void aBlockedKeyThatMovesOnHasSentWhatItPassed() throws SQLException {
        // Given
        log.checkpoint(0);
        Row passed = log.emitWithKey("k");
        Row head = log.emitWithKey("k");
        log.checkpoint(1);

        // When
        log.blockKey("k", 0, 1, passed.seq() + ", " + head.seq() + ", 0, now(), NULL, false");

        // Then
        assertThat(log.state(passed)).isEqualTo("SENT");
        assertThat(log.status(head)).containsExactly("PENDING||0");
    }

    @Test
    void aScheduledEventIsDelayedUntilItIsSent() throws SQLException {
        // Given
        log.checkpoint(0);
        Row unread = log.emitFor("'2999-01-01Z'");
        assertThat(log.state(unread)).isEqualTo("DELAYED");
        log.checkpoint(1);

        // When
        log.detour(unread, "SCHEDULED", 0, "'2999-01-01Z'");

        // Then
        assertThat(log.state(unread)).isEqualTo("DELAYED");
        assertThat(log.postgres.rows("SELECT next_attempt AT TIME ZONE 'UTC' FROM posthorn.outbox_status"))
                .containsExactly("2999-01-01 00:00:00");
        log.postgres.run("DELETE FROM posthorn.detour");
        assertThat(log.state(unread)).isEqualTo("SENT");
    }

    @Test
    void aDetourSaysWhatBecomesOfItsEvent() throws SQLException {
        // Given
        log.checkpoint(0);
        List<Row> rows = List.of(log.emit(), log.emit(), log.emit(), log.emit());
        log.checkpoint(1);

        // When
        log.detour(rows.get(0), "FAILED", 5, "NULL");
        log.detour(rows.get(1), "RETRY", 2, "now()");
        log.detour(rows.get(2), "REDRIVE", 0, "now()");
        log.detour(rows.get(3), "REDRIVE", 1, "now()");

        // Then
        assertThat(log.status(rows.get(0))).containsExactly("FAILED||5");
        assertThat(log.status(rows.get(1))).containsExactly("RETRYING||2");
        assertThat(log.status(rows.get(2))).containsExactly("PENDING||0");
        assertThat(log.status(rows.get(3))).containsExactly("RETRYING||1");
        assertThat(log.postgres.rows("SELECT DISTINCT length(last_error) FROM posthorn.outbox_status"))
                .containsExactly("1024");
    }

    @Test
    void everyRouteHasItsOwnState() throws SQLException {
        // Given
        log.checkpoint(0);
        Row row = log.emit();
        log.checkpoint(1);

        // When
        log.postgres.run("INSERT INTO posthorn.route (name) VALUES ('second')");

        // Then
        assertThat(log.postgres.rows(
                        "SELECT route, state FROM posthorn.outbox_status WHERE id = '" + row.id() + "' ORDER BY route"))
                .containsExactly("orders|SENT", "second|PENDING");
    }
}
