package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.postgres.StatusFixture.Row;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OperatorFunctionsTest {

    private StatusFixture log;
    private Row failed;
    private Row follower;

    @BeforeEach
    void anEventFailed() throws SQLException {
        log = new StatusFixture();
        log.checkpoint(0);
        failed = log.emitWithKey("k");
        follower = log.emitWithKey("k");
        log.checkpoint(1);
        log.detour(failed, "FAILED", 5, "NULL");
    }

    @Test
    void aRedriveOfAnEventWhoseKeyMovedOnIsPublishedByItself() throws SQLException {
        // When
        List<String> answer = call("redrive('orders', '" + failed.id() + "', 'fixed the queue')");

        // Then
        assertThat(answer).containsExactly("to be published by itself, out of order");
        assertThat(log.postgres.rows("SELECT kind, attempts, due <= clock_timestamp() FROM posthorn.detour"))
                .containsExactly("REDRIVE|0|t");
        assertThat(log.state(failed)).isEqualTo("PENDING");
        assertThat(log.state(follower)).isEqualTo("SENT");
        assertThat(recorded()).containsExactly("postgres|redrive|1|" + failed.id() + "|fixed the queue|1");
    }

    @Test
    void aRedriveOfAHeldEventPutsItBackInPlace() throws SQLException {
        // Given
        holdTheKey();

        // When
        List<String> answer = call("redrive('orders', '" + failed.id() + "')");

        // Then
        assertThat(answer).containsExactly("put back in place at the head of its key");
        assertThat(log.postgres.rows("SELECT passed, head, attempts, held, next_attempt <= clock_timestamp()"
                        + " FROM posthorn.blocked_key"))
                .containsExactly((failed.seq() - 1) + "|" + failed.seq() + "|0|f|t");
        assertThat(log.postgres.rows("SELECT * FROM posthorn.detour")).isEmpty();
        assertThat(log.state(failed)).isEqualTo("PENDING");
        assertThat(log.state(follower)).isEqualTo("PARKED");
    }

    @Test
    void aDiscardedEventStaysVisiblyUnsent() throws SQLException {
        // When
        List<String> answer = call("discard('orders', '" + failed.id() + "', 'test data')");

        // Then
        assertThat(answer).containsExactly("discarded");
        assertThat(log.postgres.rows("SELECT * FROM posthorn.detour")).isEmpty();
        assertThat(log.postgres.rows(
                        "SELECT state, last_error FROM posthorn.outbox_status WHERE id = '" + failed.id() + "'"))
                .containsExactly("FAILED|discarded by postgres: test data");
        assertThat(recorded()).containsExactly("postgres|discard|1|" + failed.id() + "|test data|1");
    }

    @Test
    void discardingAHeldEventLetsItsKeyGoOnAfterIt() throws SQLException {
        // Given
        holdTheKey();

        // When
        List<String> answer = call("discard('orders', '" + failed.id() + "', 'test data')");

        // Then
        assertThat(answer).containsExactly("discarded; its key goes on after it");
        assertThat(log.postgres.rows("SELECT passed, held, attempts FROM posthorn.blocked_key"))
                .containsExactly(failed.seq() + "|f|0");
        assertThat(log.state(failed)).isEqualTo("FAILED");
        assertThat(log.state(follower)).isEqualTo("PARKED");
    }

    @Test
    void whatIsNotFailedIsLeftAlone() throws SQLException {
        for (String call : List.of(
                "redrive('orders', '" + follower.id() + "')",
                "redrive('no such route', '" + failed.id() + "')",
                "discard('orders', '" + follower.id() + "', 'why')",
                "discard('orders', gen_random_uuid(), 'why')")) {
            assertThatThrownBy(() -> call(call))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("P0002"))
                    .hasMessageContaining("is not FAILED for route")
                    .hasMessageContaining("outbox_status");
        }
        assertThat(recorded()).isEmpty();
        assertThat(log.state(failed)).isEqualTo("FAILED");
    }

    @Test
    void theSecondOfTwoRedrivesIsRefused() throws SQLException {
        call("redrive('orders', '" + failed.id() + "')");
        assertThatThrownBy(() -> call("redrive('orders', '" + failed.id() + "')"))
                .hasMessageContaining("is not FAILED");
        assertThat(recorded()).hasSize(1);
    }

    private void holdTheKey() throws SQLException {
        log.blockKey("k", 0, 1, failed.seq() + ", " + failed.seq() + ", 5, NULL, 'refused', true");
    }

    private List<String> call(String function) throws SQLException {
        return log.postgres.rows("SELECT posthorn." + function);
    }

    private List<String> recorded() throws SQLException {
        return log.postgres.rows("SELECT who, action, route, target, reason, rows FROM posthorn.operator_action");
    }
}
