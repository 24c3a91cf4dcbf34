package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.Ledger.Balance;
import dev.posthorn.postgres.TerminatingDataSource.Moment;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** The server ends sessions of relays at each of their statements, and of producers around their commit. */
@Tag("slow")
@Tag("exact")
class TerminatedSessionsTest {

    /** In the order of a relay's life; the last three need one that leaves. */
    private static final List<String> STEPS = List.of(
            "lease_renew",
            "lease_live",
            "lease_acquire",
            "load_lanes",
            "load_blocked",
            "read_lanes",
            "read_pinned",
            "read_windows",
            "read_due_detours",
            "fetch_events",
            "flush_checkpoints",
            "flush_unblocked",
            "flush_blocked",
            "flush_finished",
            "flush_detours",
            "flush_attempts",
            TerminatingDataSource.COMMIT,
            "lease_release",
            "relay_leave");

    private static final Set<String> OF_A_RELAY_THAT_COMES_OR_LEAVES =
            Set.of("lease_live", "lease_acquire", "load_lanes", "load_blocked", "lease_release", "relay_leave");

    /** A slow machine would otherwise pile up more than it can drain. */
    private static final int ENOUGH = 1_000;

    private final TestPostgres postgres = TestPostgres.migrated();
    private final TerminatingDataSource terminating = new TerminatingDataSource(postgres);
    private final HikariDataSource pool = pool();
    private final HikariDataSource undisturbed = postgres.pool();
    private final MixedEvents events = new MixedEvents(undisturbed);
    private final RecordingTransport transport = events.transport();

    @AfterEach
    void close() {
        pool.close();
        undisturbed.close();
    }

    @Test
    void whereverASessionEndsNothingIsLostInventedOrOutOfOrderAndAllDrains() throws SQLException {
        int terminated = 0;
        try (Relay steady = start("steady")) {
            for (int round = 0; round < TestSize.of(1, 1, 20); round++) {
                for (String step : STEPS) {
                    for (Moment moment : Moment.values()) {
                        terminating.terminateAt(step, moment);
                        provoke(step);
                        terminated++;
                    }
                }
            }
            events.awaitAllSettled(postgres);
            Await.until("all is well", () -> steady.status().outage().isEmpty());
        }

        Balance balance = new Ledger(postgres).balance(events.arrived());
        System.out.println(terminated + " sessions of relays ended: " + balance);
        assertThat(balance.holds()).as("%s", balance).isTrue();
        assertThat(balance.twice().size()).isLessThanOrEqualTo(terminated * SmallSteps.bound());
        assertThat(postgres.rows("SELECT attempts FROM posthorn.detour WHERE kind = 'FAILED' AND attempts > 1"))
                .as("refused at once, so more is charged for something else")
                .isEmpty();
    }

    /** Lets things happen until the armed session has ended. */
    private void provoke(String step) {
        long start = System.nanoTime();
        while (!terminating.hasTerminated()) {
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("no session came to %s", step)
                    .isLessThan(Duration.ofSeconds(30));
            if (OF_A_RELAY_THAT_COMES_OR_LEAVES.contains(step)) {
                comeAndGo();
            } else {
                emit(step);
            }
        }
    }

    private void comeAndGo() {
        try (Relay guest = start("guest")) {
            Await.until("the guest has lanes", () -> !guest.status().lanes().isEmpty());
        }
    }

    private void emit(String step) {
        try {
            if (step.equals("read_pinned")) {
                lateOnes();
            } else if (step.equals("fetch_events")) {
                emitAlone(Event.of("shop", "fine").payload(new byte[40_000], "application/octet-stream"));
            } else if (events.backlog() < ENOUGH) {
                events.emit();
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(30));
    }

    private void emitAlone(dev.posthorn.event.EventBuilder event) throws SQLException {
        try (Connection connection = postgres.transaction()) {
            new PostgresOutbox(PostgresOutboxConfig.DEFAULT).emit(connection, event.build());
            connection.commit();
        }
    }

    /** More events of one transaction than a page holds, passed by others before they commit. */
    private void lateOnes() throws SQLException {
        try (Connection late = postgres.transaction()) {
            Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
            for (int i = 0; i < 400; i++) {
                outbox.emit(late, Event.of("shop", "fine").build());
            }
            events.emit();
            events.awaitAllSettled(postgres);
            late.commit();
        }
    }

    @Test
    void aProducerWhoseSessionEndsAroundItsCommitIsNeverToldAFalseSuccess() throws SQLException {
        Random random = TestSeed.next("terminated producers").random();
        postgres.run("CREATE TABLE slow_commit (n int)");
        postgres.run("CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN PERFORM pg_sleep(0.004); RETURN NULL; END $$");
        postgres.run("CREATE CONSTRAINT TRIGGER dawdle AFTER INSERT ON slow_commit DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW EXECUTE FUNCTION dawdle()");
        Set<UUID> told = new HashSet<>();
        int broken = 0;
        int rounds = TestSize.of(50, 200, 3_000);
        for (int i = 0; i < rounds; i++) {
            Event event = Event.of("shop", "fine").key("k").build();
            boolean withCommit = random.nextBoolean();
            try (Connection connection = postgres.transaction()) {
                TestPostgres.run(connection, "INSERT INTO slow_commit VALUES (1)");
                Thread end = terminator(connection, random.nextInt(10_000));
                try {
                    emitAndCommit(connection, event, withCommit);
                    told.add(event.id());
                } finally {
                    join(end);
                }
            } catch (SQLException | PosthornException disturbed) {
                broken++;
            }
        }

        Set<UUID> stored = new Ledger(postgres).ids("SELECT id FROM posthorn.outbox");
        System.out.println(rounds + " producers' sessions ended: " + told.size() + " told committed, " + broken
                + " told nothing, " + stored.size() + " stored");
        assertThat(stored).containsAll(told);
        assertThat(told).isNotEmpty();
        assertThat(broken).isPositive();
    }

    private static void emitAndCommit(Connection connection, Event event, boolean withCommit) throws SQLException {
        Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
        if (withCommit) {
            outbox.emit(connection, List.of(event), EmitOption.WITH_COMMIT);
        } else {
            outbox.emit(connection, event);
            connection.commit();
        }
    }

    private Thread terminator(Connection of, int micros) throws SQLException {
        int pid = of.unwrap(PGConnection.class).getBackendPID();
        Thread thread = new Thread(() -> {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
            try (Connection connection = undisturbed.getConnection()) {
                TestPostgres.run(connection, "SELECT pg_terminate_backend(" + pid + ")");
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        });
        thread.start();
        return thread;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private HikariDataSource pool() {
        HikariConfig hikari = new HikariConfig();
        hikari.setDataSource(terminating);
        hikari.setMaximumPoolSize(8);
        hikari.setMinimumIdle(0);
        return new HikariDataSource(hikari);
    }

    private Relay start(String name) {
        return Relay.start(
                PostgresRelayStores.open(
                        pool, Schema.DEFAULT, Route.named("main").fromBeginning(), name),
                transport.publisher(),
                SmallSteps.config(),
                SmallSteps.policy());
    }
}
