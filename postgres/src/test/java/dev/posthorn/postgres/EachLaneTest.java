package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Functions that look at the end, or at the next rows, of each lane do not read the log for it. */
class EachLaneTest {

    private static final int ROWS = 40_000;

    private static TestPostgres postgres;

    @BeforeAll
    static void aLog() throws SQLException {
        postgres = TestPostgres.migrated();
        LogFiller.fillLog(postgres, ROWS);
        postgres.run("INSERT INTO posthorn.replay (target_kind, target, snapshot, \"end\")"
                + " SELECT 'route', 'main', pg_current_snapshot(), max(seq) FROM posthorn.outbox");
    }

    @Test
    void theNewestTransactionIsFoundAtTheEndsOfLanes() throws SQLException {
        assertThat(rowsReadBy("SELECT posthorn.newest_known_xid()")).isBetween(1L, 200L);
    }

    @Test
    void aPageOfAReplayReadsTheNextRowsOfEachLane() throws SQLException {
        assertThat(rowsReadBy("SELECT count(*) FROM posthorn.replay r," + " posthorn.replay_page(r.id, 0, " + ROWS / 2
                        + ", 100, 1000000)"))
                .isBetween(100L, (long) ROWS);
    }

    @Test
    void aReplayFindsTheEndOfTheLogAtTheEndsOfLanes() throws SQLException {
        assertThat(rowsReadBy("SELECT posthorn.start_replay('consumer', 'billing', counted => false)"))
                .isBetween(1L, 200L);
    }

    /** Of the log, by any scan, as the server counts them in the transaction itself. */
    private static long rowsReadBy(String statement) throws SQLException {
        try (Connection transaction = postgres.transaction()) {
            TestPostgres.rows(transaction, statement);
            return Long.parseLong(TestPostgres.rows(
                            transaction,
                            "SELECT sum(pg_stat_get_xact_tuples_returned(x.oid)) FROM ("
                                    + "SELECT 'posthorn.outbox'::regclass AS oid UNION ALL"
                                    + " SELECT i.indexrelid FROM pg_index i WHERE i.indrelid = 'posthorn.outbox'::regclass) x")
                    .get(0));
        }
    }
}
