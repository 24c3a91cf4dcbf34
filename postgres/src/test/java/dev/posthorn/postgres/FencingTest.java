package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.relay.CheckpointStore;
import dev.posthorn.relay.CheckpointStore.BlockedKey;
import dev.posthorn.relay.CheckpointStore.Changes;
import dev.posthorn.relay.CheckpointStore.Detour;
import dev.posthorn.relay.CheckpointStore.DetourKind;
import dev.posthorn.relay.CheckpointStore.FailedAttempt;
import dev.posthorn.relay.CheckpointStore.LaneFlush;
import dev.posthorn.relay.CheckpointStore.LaneState;
import dev.posthorn.relay.CheckpointStore.Trouble;
import dev.posthorn.relay.LeaseStore;
import dev.posthorn.relay.LeaseStore.Lease;
import dev.posthorn.relay.Log.LaneRead;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.StoreException;
import dev.posthorn.testkit.Await;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who has lost a lane writes nothing of it, whatever it was in the middle of; who has not is never made to wait. */
@Timeout(300)
@Tag("exact")
class FencingTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int ALL = Migrations.DEFAULT_LANES;
    private static final Changes NONE = new Changes(List.of(), List.of(), List.of(), List.of(), List.of());

    private final TestPostgres postgres = TestPostgres.migrated();
    private final InterceptedDataSource ofA = new InterceptedDataSource(postgres);
    private Relay.Stores a;
    private Relay.Stores b;

    @BeforeEach
    void openRoute() {
        a = open(ofA, "a");
        b = open(postgres.dataSource(), "b");
    }

    @Test
    void aZombiesFlushWritesNothingOfTheLanesItHasLost() throws SQLException {
        List<Lease> mine = a.leases().acquire("a", 3, LONG);
        List<LaneState> states = a.checkpoints().load(a.relay(), mine);
        expire(mine.get(1));
        b.leases().acquire("b", ALL, LONG);
        List<LaneFlush> flushes = List.of(
                full(mine.get(0), states.get(0)), full(mine.get(1), states.get(1)), full(mine.get(2), states.get(2)));

        Set<Integer> lost = a.checkpoints().flush("a", states.get(0).incarnation(), flushes);

        int gone = mine.get(1).lane();
        assertThat(lost).containsExactly(gone);
        for (String table : List.of("checkpoint WHERE n > 0 AND", "blocked_key WHERE", "detour WHERE")) {
            assertThat(postgres.rows("SELECT count(*) FROM posthorn." + table + " lane = " + gone))
                    .as(table)
                    .containsExactly("0");
            assertThat(postgres.rows("SELECT count(*) FROM posthorn." + table + " lane <> " + gone))
                    .as(table)
                    .containsExactly("2");
        }
        assertThat(postgres.rows("SELECT seq FROM posthorn.attempt ORDER BY seq"))
                .containsExactly(
                        Long.toString(mine.get(0).lane() + 1L),
                        Long.toString(mine.get(2).lane() + 1L));
    }

    @Test
    void aTakeoverPassesOverALaneWhoseFlushIsUnderWay() throws Exception {
        Lease mine = a.leases().acquire("a", 1, LONG).get(0);
        LaneState state = a.checkpoints().load(a.relay(), List.of(mine)).get(0);
        expire(mine);
        try (UnderWay flush = beginFlush(mine, state)) {
            // When
            List<Lease> taken = b.leases().acquire("b", ALL, LONG);

            // Then
            assertThat(taken).hasSize(ALL - 1).noneMatch(lease -> lease.lane() == mine.lane());
            assertThat(flush.finish()).as("lost lanes").isEmpty();
        }
        List<Lease> later = b.leases().acquire("b", ALL, LONG);
        assertThat(later).containsExactly(new Lease(mine.lane(), mine.epoch() + 1));
        assertThat(b.checkpoints().load(b.relay(), later).get(0).n()).isEqualTo(state.n() + 1);
    }

    @Test
    void aFlushWaitsForATakeoverThatIsUnderWayAndIsThenFenced() throws Exception {
        Lease mine = a.leases().acquire("a", 1, LONG).get(0);
        LaneState state = a.checkpoints().load(a.relay(), List.of(mine)).get(0);
        expire(mine);
        try (Connection takeover = postgres.transaction()) {
            acquireIn(takeover, "b");
            CompletableFuture<Set<Integer>> flush = CompletableFuture.supplyAsync(
                    () -> a.checkpoints().flush("a", state.incarnation(), List.of(full(mine, state))));
            Await.until("the flush waits for the takeover", this::someoneWaitsForALock);

            takeover.commit();

            assertThat(flush.get(10, TimeUnit.SECONDS)).containsExactly(mine.lane());
        }
        assertThat(postgres.rows("SELECT count(*) FROM posthorn.checkpoint WHERE n > 0"))
                .containsExactly("0");
        assertThat(postgres.rows("SELECT count(*) FROM posthorn.blocked_key")).containsExactly("0");
    }

    /** A process that is stopped between two statements of its flush must not keep its lanes from the others for ever. */
    @Test
    void aRelayThatIsFrozenInTheMiddleOfAFlushLosesItsLanesAllTheSame() throws Exception {
        Lease mine = a.leases().acquire("a", 1, LONG).get(0);
        LaneState state = a.checkpoints().load(a.relay(), List.of(mine)).get(0);
        try (UnderWay flush = beginFlush(mine, state)) {
            expire(mine);
            assertThat(b.leases().acquire("b", ALL, LONG)).doesNotContain(next(mine));

            Await.until(
                    "the lane is free", () -> b.leases().acquire("b", ALL, LONG).contains(next(mine)));

            assertThatThrownBy(flush::finish).hasCauseInstanceOf(StoreException.class);
        }
        assertThat(postgres.rows("SELECT count(*) FROM posthorn.checkpoint WHERE n > 0"))
                .containsExactly("0");
    }

    private static Lease next(Lease lease) {
        return new Lease(lease.lane(), lease.epoch() + 1);
    }

    @Test
    void aRenewalDoesNotWaitForAFlush() throws Exception {
        Lease mine = a.leases().acquire("a", 1, LONG).get(0);
        LaneState state = a.checkpoints().load(a.relay(), List.of(mine)).get(0);
        try (UnderWay flush = beginFlush(mine, state)) {
            Relay.Stores impatient = open(impatient(), "a");

            assertThat(impatient
                            .leases()
                            .renew("a", List.of(mine), LONG, LeaseStore.Report.NEW)
                            .held())
                    .containsExactly(mine);
            assertThat(flush.finish()).isEmpty();
        }
    }

    @Test
    void aFlushDoesNotWaitForARenewal() throws SQLException {
        Lease mine = a.leases().acquire("a", 1, LONG).get(0);
        LaneState state = a.checkpoints().load(a.relay(), List.of(mine)).get(0);
        Relay.Stores impatient = open(impatient(), "a");
        try (Connection renewal = postgres.transaction()) {
            TestPostgres.run(renewal, "UPDATE posthorn.lease SET expires_at = clock_timestamp() + interval '1 min'");

            Set<Integer> lost = impatient.checkpoints().flush("a", state.incarnation(), List.of(full(mine, state)));

            assertThat(lost).isEmpty();
            renewal.commit();
        }
    }

    @Test
    void renewalsFlushesAndTakeoversAtOnceNeverDeadlock() throws Exception {
        int rounds = TestSize.of(100, 500, 10_000);
        String before = deadlocks();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try (HikariDataSource pool = postgres.pool()) {
            List<Future<?>> relays = new ArrayList<>();
            for (String name : List.of("a", "b", "c")) {
                relays.add(threads.submit(() -> fightForLanes(name, pool, rounds)));
            }

            for (Future<?> relay : relays) {
                relay.get();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(deadlocks()).isEqualTo(before);
        assertThat(postgres.rows("SELECT lane FROM posthorn.checkpoint GROUP BY lane"
                        + " HAVING count(*) <> max(n) + 1 OR min(n) <> 0"))
                .as("lanes whose checkpoints have a gap")
                .isEmpty();
    }

    @Test
    void ofTwoFlushesOfTheSameNumberOneIsWritten() throws Exception {
        Lease mine = a.leases().acquire("a", 1, LONG).get(0);
        LaneState state = a.checkpoints().load(a.relay(), List.of(mine)).get(0);
        try (UnderWay first = beginFlush(mine, state)) {
            CompletableFuture<Set<Integer>> second =
                    CompletableFuture.supplyAsync(() -> open(postgres.dataSource(), "a")
                            .checkpoints()
                            .flush("a", state.incarnation(), List.of(full(mine, state))));
            Await.until("the second waits for the first", this::someoneWaitsForALock);

            assertThat(first.finish()).isEmpty();
            assertThat(second.get(10, TimeUnit.SECONDS)).containsExactly(mine.lane());
        }
        assertThat(postgres.rows("SELECT count(*) FROM posthorn.attempt")).containsExactly("1");
    }

    @Test
    void aFlushOfAnotherIncarnationIsLost() {
        Lease mine = a.leases().acquire("a", 1, LONG).get(0);
        LaneState state = a.checkpoints().load(a.relay(), List.of(mine)).get(0);

        Set<Integer> lost = a.checkpoints().flush("a", "1763251200.5/00000002", List.of(full(mine, state)));

        assertThat(lost).containsExactly(mine.lane());
        assertThat(a.checkpoints().load(a.relay(), List.of(mine))).containsExactly(state);
    }

    @Test
    void whatIsLoadedIsNeverACheckpointWithoutItsBlockedKeys() {
        Lease mine = a.leases().acquire("a", 1, LONG).get(0);
        LaneState state = a.checkpoints().load(a.relay(), List.of(mine)).get(0);
        CheckpointStore unanswered = open(postgres.dataSource(), "a").checkpoints();
        CountDownLatch connections = new CountDownLatch(2);
        ofA.beforeConnecting = () -> {
            connections.countDown();
            if (connections.getCount() == 0) {
                ofA.beforeConnecting = () -> {};
                unanswered.flush("a", state.incarnation(), List.of(full(mine, state)));
            }
        };

        LaneState loaded = a.checkpoints().load(a.relay(), List.of(mine)).get(0);

        if (loaded.n() > state.n()) {
            assertThat(loaded.blocked()).hasSize(1);
        }
    }

    /** What a standby's own function answers; a real one takes a second server. */
    @Test
    void aStandbyIsNeitherReadNorWritten() throws SQLException {
        Lease mine = a.leases().acquire("a", 1, LONG).get(0);
        LaneState state = a.checkpoints().load(a.relay(), List.of(mine)).get(0);
        postgres.run("CREATE OR REPLACE FUNCTION posthorn.incarnation() RETURNS text LANGUAGE sql STABLE AS"
                + " $$ SELECT 'standby' $$");

        assertStandbyIsRefused(() -> a.log().read(List.of(new LaneRead(mine.lane(), state.cursor(), 1, 1))));
        assertStandbyIsRefused(() -> a.checkpoints().load(a.relay(), List.of(mine)));
        assertStandbyIsRefused(() -> a.checkpoints().due(List.of(mine.lane()), 1));
        assertStandbyIsRefused(() -> a.checkpoints().released(mine.lane(), List.of("k")));
        assertStandbyIsRefused(() -> a.leases().renew("a", List.of(mine), LONG, LeaseStore.Report.NEW));
        assertStandbyIsRefused(() -> a.checkpoints().flush("a", state.incarnation(), List.of(full(mine, state))));
        assertThat(postgres.rows("SELECT n FROM posthorn.checkpoint WHERE n > 0"))
                .isEmpty();
    }

    private static void assertStandbyIsRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(StoreException.class).hasMessageContaining("standby");
    }

    // ---- hands

    private static Relay.Stores open(DataSource dataSource, String relay) {
        return PostgresRelayStores.open(
                dataSource, Schema.DEFAULT, Route.named("main").fromBeginning(), relay);
    }

    private DataSource impatient() {
        InterceptedDataSource impatient = new InterceptedDataSource(postgres);
        impatient.setOptions("-c lock_timeout=50ms");
        return impatient;
    }

    /** A flush with a row of every kind; seqs tell the lane. */
    private static LaneFlush full(Lease lease, LaneState state) {
        long seq = lease.lane() + 1L;
        UUID id = UUID.randomUUID();
        Trouble trouble = new Trouble(1, Duration.ofSeconds(1), "test");
        Changes changes = new Changes(
                List.of(new BlockedKey("k" + seq, state.cursor(), state.cursor(), 0, seq, trouble, false)),
                List.of(),
                List.of(new Detour(seq, DetourKind.FAILED, id, null, trouble)),
                List.of(),
                List.of(new FailedAttempt(seq, id, 1, "failed", "test")));
        return new LaneFlush(lease, state.n() + 1, state.cursor(), changes);
    }

    private void expire(Lease lease) throws SQLException {
        postgres.run("UPDATE posthorn.lease SET expires_at = '-infinity' WHERE lane = " + lease.lane());
    }

    private static void acquireIn(Connection connection, String relay) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.load("lease_acquire", Schema.DEFAULT))) {
            new Parameters(statement)
                    .text("relay name", relay)
                    .value(60_000L)
                    .value((short) 1)
                    .value(ALL)
                    .value((short) 1);
            statement.executeQuery().close();
        }
    }

    private boolean someoneWaitsForALock() {
        try {
            return !postgres.rows("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                            + " AND datname = current_database()")
                    .isEmpty();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private String deadlocks() throws SQLException {
        return postgres.rows("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
                .get(0);
    }

    /** Takes what it can for a moment, writes two checkpoints of it, renews in between. */
    private static void fightForLanes(String name, DataSource pool, int rounds) {
        Relay.Stores stores = open(pool, name);
        for (int i = 0; i < rounds; i++) {
            List<Lease> taken = stores.leases().acquire(name, ALL, Duration.ofMillis(5));
            List<LaneState> states = stores.checkpoints().load(stores.relay(), taken);
            if (states.isEmpty()) {
                continue;
            }
            List<LaneFlush> flushes = states.stream()
                    .map(state -> new LaneFlush(leaseOf(taken, state), state.n() + 1, state.cursor(), NONE))
                    .toList();
            stores.leases().renew(name, taken, Duration.ofMillis(5), LeaseStore.Report.NEW);
            stores.checkpoints().flush(name, states.get(0).incarnation(), flushes);
        }
    }

    private static Lease leaseOf(List<Lease> leases, LaneState state) {
        return leases.stream()
                .filter(lease -> lease.lane() == state.lane())
                .findFirst()
                .orElseThrow();
    }

    private UnderWay beginFlush(Lease lease, LaneState state) throws InterruptedException {
        UnderWay flush = new UnderWay();
        flush.begin(() -> a.checkpoints().flush("a", state.incarnation(), List.of(full(lease, state))));
        return flush;
    }

    /** A flush that has written everything and not committed. */
    private final class UnderWay implements AutoCloseable {

        private final CountDownLatch written = new CountDownLatch(1);
        private final CountDownLatch mayCommit = new CountDownLatch(1);
        private CompletableFuture<Set<Integer>> result = new CompletableFuture<>();

        void begin(java.util.function.Supplier<Set<Integer>> flush) throws InterruptedException {
            ofA.beforeCommit = () -> {
                written.countDown();
                awaitQuietly(mayCommit);
            };
            result = CompletableFuture.supplyAsync(flush);
            assertThat(written.await(10, TimeUnit.SECONDS)).isTrue();
        }

        Set<Integer> finish() throws Exception {
            mayCommit.countDown();
            return result.get(10, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            mayCommit.countDown();
            ofA.beforeCommit = () -> {};
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
