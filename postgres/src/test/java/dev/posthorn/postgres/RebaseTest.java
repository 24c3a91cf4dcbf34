package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.relay.LeaseStore;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.StoreException;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What counts as a restore and what does not, and when a rebase is refused. Restoring itself is RestoreTest's. */
@Tag("slow")
@Tag("exact")
class RebaseTest {

    private static final String RESTORE = "UPDATE posthorn.log SET created_at = created_at";

    private final RelayHarness harness = new RelayHarness();
    private final TestPostgres postgres = harness.postgres;
    private final PostgresRebase rebase = new PostgresRebase(postgres.dataSource(), Schema.DEFAULT);

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void aLogAtHomeNeedsNoRebase() throws SQLException {
        harness.emit(Event.of("shop", "placed").build());

        assertThat(rebase.rebase("for nothing").routes()).isEmpty();
        assertThat(postgres.rows("SELECT * FROM posthorn.operator_action")).isEmpty();
    }

    @Test
    void whatKeepsTransactionIdsIsNoRestore() throws SQLException {
        postgres.run("VACUUM FREEZE posthorn.log");
        postgres.run("VACUUM FULL posthorn.log");
        postgres.run("REINDEX TABLE posthorn.log");

        assertThat(rebase.needs().any()).isFalse();
    }

    /** Files are copied, as by pg_upgrade and by a base backup. */
    @Test
    void aCopyOfTheFilesIsNoRestore() throws SQLException {
        String name = postgres.dataSource().getDatabaseName();
        try (Connection admin = at("postgres").getConnection()) {
            TestPostgres.run(admin, "CREATE DATABASE " + name + "_copy TEMPLATE " + name);
        }

        assertThat(new PostgresRebase(at(name + "_copy"), Schema.DEFAULT)
                        .needs()
                        .any())
                .isFalse();
    }

    private static PGSimpleDataSource at(String database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {TestPostgres.port()});
        source.setDatabaseName(database);
        source.setUser("postgres");
        return source;
    }

    @Test
    void aSchemaMadeWithinASavepointIsAtHome() throws SQLException {
        TestPostgres fresh = TestPostgres.empty();
        String script =
                new Migrations(Schema.DEFAULT).print().replace("BEGIN;", "").replace("COMMIT;", "");
        try (Connection connection = fresh.transaction()) {
            TestPostgres.rows(connection, "SELECT pg_current_xact_id()");
            connection.setSavepoint();
            TestPostgres.run(connection, script);
            connection.commit();
        }

        assertThat(new PostgresRebase(fresh.dataSource(), Schema.DEFAULT)
                        .needs()
                        .any())
                .isFalse();
    }

    @Test
    void whileARelayHoldsLanesItIsRefusedAndTheRelayIsNamed() throws SQLException {
        harness.startRelay("r1", RecordingTransport.accepting().publisher());
        Await.until(
                "it has its lanes",
                () -> !harness.rows("SELECT 1 FROM posthorn.lease WHERE owner = 'r1'")
                        .isEmpty());
        postgres.run(RESTORE);

        assertThatThrownBy(() -> rebase.rebase(null))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("Relays hold lanes: r1 of route main")
                .hasMessageContaining("Stop them");
        assertThat(rebase.needs().moved()).isTrue();
    }

    /** What it emitted has an id that is not shifted, so it must be committed before. */
    @Test
    void whileSomeoneHasEmittedAndNotCommittedItGivesUpAndChangesNothing() throws SQLException {
        postgres.run(RESTORE);
        try (Connection open = postgres.transaction()) {
            harness.outbox.emit(open, List.of(Event.of("shop", "placed").build()));

            assertThatThrownBy(() -> rebase.rebase(null))
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("Someone uses the outbox")
                    .hasMessageContaining("pg_prepared_xacts");
            open.commit();
        }
        assertThat(rebase.needs().moved()).isTrue();
        rebase.rebase(null);
        assertThat(rebase.needs().any()).isFalse();
    }

    @Test
    void ofTwoAtOnceOneDoesItAndTheOtherFindsItDone() throws Exception {
        new PostgresRoutes(postgres.dataSource(), Schema.DEFAULT).create(Route.named("main"));
        postgres.run(RESTORE);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<PostgresRebase.Report>> both =
                    threads.invokeAll(List.of(() -> rebase.rebase("a"), () -> rebase.rebase("b")));

            int done = both.get(0).get().routes().size()
                    + both.get(1).get().routes().size();
            assertThat(done).isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aRelayThatIsThereWhileItsDatabaseIsReplacedLoadsNoLane() throws SQLException {
        Relay.Stores stores = PostgresRelayStores.open(postgres.dataSource(), Schema.DEFAULT, "main", "r1");
        List<LeaseStore.Lease> leases = stores.leases().acquire("r1", 16, Duration.ofSeconds(15));
        assertThat(stores.checkpoints().load(stores.relay(), leases)).hasSize(16);

        postgres.run(RESTORE);

        assertThatThrownBy(() -> stores.checkpoints().load(stores.relay(), leases))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("restored from a dump")
                .hasMessageContaining("posthorn rebase");
    }

    @Test
    void anOperatorMayRebaseAndARelayMayNot() throws SQLException {
        postgres.run(RESTORE);
        TestRole.create(postgres, Schema.DEFAULT, RoleKind.RELAY).assertMayNot("SELECT * FROM posthorn.rebase('why')");
        TestRole.create(postgres, Schema.DEFAULT, RoleKind.OPERATOR).run("SELECT * FROM posthorn.rebase('why')");

        assertThat(rebase.needs().any()).isFalse();
    }

    @Test
    void aSequenceThatWasNotRestoredIsMoved() throws SQLException {
        harness.emit(
                Event.of("shop", "placed").build(), Event.of("shop", "placed").build());
        postgres.rows("SELECT setval('posthorn.outbox_seq_seq', 1)");
        postgres.run(RESTORE);

        rebase.rebase(null);

        assertThat(postgres.rows("SELECT last_value FROM posthorn.outbox_seq_seq"))
                .containsExactly("2");
    }

    @Test
    void everyIdToComeIsAboveAllThatTheLogKnows() throws SQLException {
        harness.emit(Event.of("shop", "placed").build());
        postgres.run("UPDATE posthorn.outbox SET tx = '7000000000'");
        assertThat(rebase.needs().ahead()).isTrue();

        rebase.rebase(null);
        harness.emit(Event.of("shop", "paid").build());

        assertThat(postgres.rows("SELECT type FROM posthorn.outbox ORDER BY tx"))
                .containsExactly("placed", "paid");
        assertThat(postgres.rows("SELECT bool_and(pg_visible_in_snapshot(o.tx, posthorn.current_snapshot()))"
                        + " FROM posthorn.outbox o"))
                .containsExactly("t");
        try (Connection open = postgres.transaction()) {
            harness.outbox.emit(open, List.of(Event.of("shop", "open").build()));
            harness.emit(Event.of("shop", "later").build());
            String tx = TestPostgres.rows(open, "SELECT max(tx::text) FROM posthorn.outbox WHERE type = 'open'")
                    .get(0);
            assertThat(postgres.rows("SELECT x::text FROM pg_snapshot_xip(posthorn.current_snapshot()) AS x"))
                    .contains(tx);
            assertThat(postgres.rows("SELECT pg_visible_in_snapshot('" + tx + "', posthorn.current_snapshot())"))
                    .containsExactly("f");
        }
    }
}
