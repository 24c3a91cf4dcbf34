package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.Event;
import dev.posthorn.relay.CheckpointStore.BlockedKey;
import dev.posthorn.relay.CheckpointStore.Changes;
import dev.posthorn.relay.CheckpointStore.Detour;
import dev.posthorn.relay.CheckpointStore.DetourKind;
import dev.posthorn.relay.CheckpointStore.FailedAttempt;
import dev.posthorn.relay.CheckpointStore.LaneFlush;
import dev.posthorn.relay.CheckpointStore.LaneState;
import dev.posthorn.relay.CheckpointStore.Trouble;
import dev.posthorn.relay.Cursor;
import dev.posthorn.relay.LeaseStore;
import dev.posthorn.relay.LeaseStore.Lease;
import dev.posthorn.relay.Log.KeyWindow;
import dev.posthorn.relay.Log.LaneRead;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.Snapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Plans that a connection made while the tables were empty, and keeps, do not read them whole when they have grown. */
class PreparedPlansTest {

    private static final int ROWS = TestSize.of(20_000, 100_000, 1_000_000);
    private static final int ENOUGH_FOR_A_GENERIC_PLAN = 10;
    private static final Snapshot NOTHING_SEEN = new Snapshot("3:3:");
    private static final Cursor START = Cursor.at(NOTHING_SEEN, 0);

    private static EmbeddedPostgres server;

    private int turns;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder()
                .unsafeFast()
                .setting("autovacuum", "off")
                .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void whatWasPlannedForEmptyTablesReadsNoFullTableWhole() throws SQLException {
        TestPostgres postgres = TestPostgres.migrated(server);
        try (HikariDataSource one = oneConnection(postgres)) {
            Relay.Stores stores = PostgresRelayStores.open(
                    one, Schema.DEFAULT, Route.named("main").fromBeginning(), "r");
            postgres.run("VACUUM ANALYZE");
            List<Lease> leases = stores.leases().acquire("r", 16, Duration.ofMinutes(10));
            for (int i = 0; i < ENOUGH_FOR_A_GENERIC_PLAN; i++) {
                useEveryStatement(stores, leases, one);
            }
            assertThat(postgres.rows("SELECT count(*) FROM posthorn.outbox WHERE type = 'placed'"))
                    .containsExactly("0");

            // When
            LogFiller.fill(postgres, ROWS);
            List<String> before = seqScans(postgres, one);
            for (int i = 0; i < ENOUGH_FOR_A_GENERIC_PLAN; i++) {
                useEveryStatement(stores, leases, one);
            }

            // Then
            assertThat(seqScans(postgres, one)).isEqualTo(before);
            assertThat(genericPlans(one)).as("statements with a generic plan").isGreaterThan(5);
        }
    }

    // ---- hands

    private static HikariDataSource oneConnection(TestPostgres postgres) {
        PGSimpleDataSource eager = new PGSimpleDataSource();
        eager.setUrl(postgres.dataSource().getUrl());
        eager.setUser("postgres");
        eager.setPrepareThreshold(1);
        HikariConfig hikari = new HikariConfig();
        hikari.setDataSource(eager);
        hikari.setMaximumPoolSize(1);
        return new HikariDataSource(hikari);
    }

    private void useEveryStatement(Relay.Stores stores, List<Lease> leases, HikariDataSource one) throws SQLException {
        turns++;
        stores.leases().renew("r", leases, Duration.ofMinutes(10), LeaseStore.Report.NEW);
        List<LaneState> states = stores.checkpoints().load(stores.relay(), leases);
        List<LaneRead> reads = new ArrayList<>();
        states.forEach(state -> reads.add(new LaneRead(state.lane(), state.cursor(), 5, 5)));
        Snapshot now = stores.log().read(reads).snapshot();
        Cursor pinned = new Cursor(NOTHING_SEEN, 1_000_000, now, 0);
        stores.log().readPinned(new LaneRead(3, pinned, 5, 5));
        KeyWindow window = new KeyWindow(3, "k77", START, Cursor.at(now, 1_000_000), 0, 5);
        stores.log().readWindows(List.of(window));
        stores.log().fetch(List.of(UUID.randomUUID()));
        stores.checkpoints().due(leases.stream().map(Lease::lane).toList(), 5);
        stores.checkpoints().released(3, List.of("k77"));
        LaneState third =
                states.stream().filter(state -> state.lane() == 3).findFirst().orElseThrow();
        Lease lease =
                leases.stream().filter(held -> held.lane() == 3).findFirst().orElseThrow();
        Set<Integer> lost = stores.checkpoints()
                .flush(
                        "r",
                        third.incarnation(),
                        List.of(new LaneFlush(lease, third.n() + 1, Cursor.at(now, 0), changes())));
        assertThat(lost).isEmpty();
        emit(one);
    }

    /** A row of every kind written, and one of every kind removed. */
    private Changes changes() {
        long seq = -turns;
        Trouble trouble = new Trouble(1, Duration.ofHours(1), "test");
        return new Changes(
                List.of(new BlockedKey("b" + turns, START, START, 0, seq, trouble, false)),
                List.of("b" + (turns - 1)),
                List.of(new Detour(seq, DetourKind.SCHEDULED, UUID.randomUUID(), null, trouble)),
                List.of(seq + 1),
                List.of(new FailedAttempt(seq, UUID.randomUUID(), 1, "failed", "test")));
    }

    private static void emit(HikariDataSource one) throws SQLException {
        try (Connection connection = one.getConnection()) {
            connection.setAutoCommit(false);
            PostgresOutbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
            outbox.emit(connection, List.of(Event.of("shop", "one").key("k1").build()));
            outbox.emit(
                    connection,
                    List.of(
                            Event.of("shop", "two").build(),
                            Event.of("shop", "two").build()));
            connection.commit();
        }
    }

    /** Of the tables that grow; this connection's own counts are reported first. */
    private static List<String> seqScans(TestPostgres postgres, HikariDataSource one) throws SQLException {
        try (Connection connection = one.getConnection()) {
            TestPostgres.rows(connection, "SELECT pg_stat_force_next_flush()");
            TestPostgres.rows(connection, "SELECT 1");
        }
        postgres.rows("SELECT pg_stat_force_next_flush()"); // its own session has looked at tables, too
        return postgres.rows("SELECT relname, seq_scan FROM pg_stat_user_tables WHERE relname IN"
                + " ('outbox', 'checkpoint', 'flush', 'blocked_key', 'detour', 'attempt') ORDER BY relname");
    }

    private static int genericPlans(HikariDataSource one) throws SQLException {
        try (Connection connection = one.getConnection()) {
            return Integer.parseInt(
                    TestPostgres.rows(connection, "SELECT count(*) FROM pg_prepared_statements WHERE generic_plans > 0")
                            .get(0));
        }
    }
}
