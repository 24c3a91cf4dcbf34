package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.relay.Route;
import dev.posthorn.testkit.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Flushes that commit while old ones are removed. */
@Timeout(60)
class CompactFlushesRaceTest {

    /**
     * The table of flushes is locked, so that the function has looked at the checkpoints and waits when it wants to look at
     * the flushes. Two lanes then write their first checkpoint.
     */
    @Test
    void theFlushOfACheckpointThatCommitsMeanwhileStays() throws Exception {
        // Given
        TestPostgres postgres = TestPostgres.migrated();
        try (var pool = postgres.pool();
                Connection relays = postgres.transaction()) {
            PostgresRelayStores.open(pool, Schema.DEFAULT, Route.named("shop"), "a");
            TestPostgres.run(relays, "LOCK TABLE posthorn.flush IN ACCESS EXCLUSIVE MODE");

            // When
            CompletableFuture<Void> compacting = CompletableFuture.runAsync(() -> compact(postgres));
            Await.until("the function waits for the table", () -> isWaiting(postgres));
            for (int lane = 0; lane < 2; lane++) {
                TestPostgres.run(
                        relays,
                        "WITH made AS (INSERT INTO posthorn.flush (relay, snapshots)"
                                + " VALUES ('a', ARRAY[pg_current_snapshot()]) RETURNING id)"
                                + " INSERT INTO posthorn.checkpoint (route, lane, n, flush, position, snapshot)"
                                + " SELECT r.id, " + lane + ", 1, made.id, 0, 1 FROM made CROSS JOIN posthorn.route r");
            }
            relays.commit();
            compacting.join();

            // Then
            assertThat(postgres.rows("SELECT c.lane, c.n FROM posthorn.checkpoint c"
                            + " WHERE NOT EXISTS (SELECT FROM posthorn.flush f WHERE f.id = c.flush)"))
                    .as("checkpoints whose flush is gone")
                    .isEmpty();
        }
    }

    private static boolean isWaiting(TestPostgres postgres) {
        try {
            return !postgres.rows("SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND query LIKE '%compact_flushes(%' AND wait_event_type = 'Lock'")
                    .isEmpty();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void compact(TestPostgres postgres) {
        try {
            postgres.run("SELECT posthorn.compact_flushes(1000)");
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
