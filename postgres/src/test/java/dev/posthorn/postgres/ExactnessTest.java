package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.postgres.Ledger.Balance;
import dev.posthorn.relay.Log;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.testkit.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was committed arrives: all of it, nothing else, in order of its key, whoever writes and whichever relay dies. */
@Timeout(600)
@Tag("exact")
class ExactnessTest {

    private static final int LONG_EVENTS = 400;

    private final TestPostgres postgres = TestPostgres.migrated();
    private final HikariDataSource poolOfWriters = postgres.pool();
    private final HikariDataSource poolOfRelays = TestPostgres.pool(forRelays(postgres));
    private final Ledger ledger = new Ledger(postgres);
    private Writers writers;
    private long nextTurn;

    /** How relays reach the database. */
    DataSource forRelays(TestPostgres database) {
        return database.dataSource();
    }

    @BeforeEach
    void prepare() throws SQLException {
        writers = new Writers(postgres, poolOfWriters);
    }

    @AfterEach
    void close() {
        writers.close();
        poolOfWriters.close();
        poolOfRelays.close();
    }

    @Test
    void everythingCommittedArrivesInOrderAndNothingElse() throws Exception {
        TestSeed seed = TestSeed.next("exactness");
        Random random = seed.random();
        try (RelaysComingAndGoing relays = RelaysComingAndGoing.crashing(poolOfRelays, new Random(random.nextLong()));
                Connection longWriter = postgres.transaction()) {
            // When
            emitLong(longWriter, 0);
            write(relays, TestSize.of(25, 150, 4_000), random, longWriter);
            relays.settle();

            // Then all but what is not committed yet
            Await.until(
                    () -> "all of the short writers: " + balance(relays),
                    () -> balance(relays).lost().isEmpty());
            assertThat(relays.arrived()).noneMatch(ExactnessTest::isLong);
            longWriter.commit();
            Await.until(
                    () -> "all of the long writer too: " + balance(relays),
                    () -> balance(relays).lost().isEmpty());
            Balance balance = balance(relays);
            System.out.println("exactness: " + balance + "; " + relays + ", " + writers.rolledBack + " rolled back");
            assertThat(balance.holds()).as("%s: %s", seed, balance).isTrue();
            assertThat(relays.arrived().stream().filter(ExactnessTest::isLong).distinct())
                    .hasSize(LONG_EVENTS);
            assertThat(balance.twice().size()).as("%s", seed).isLessThanOrEqualTo(relays.duplicatesAllowed());
        }
    }

    @Test
    void relaysThatComeAndGoInOrderPublishNothingTwice() throws Exception {
        TestSeed seed = TestSeed.next("orderly relays");
        Random random = seed.random();
        try (RelaysComingAndGoing relays = RelaysComingAndGoing.orderly(poolOfRelays, new Random(random.nextLong()));
                Connection longWriter = postgres.transaction()) {
            emitLong(longWriter, 0);
            write(relays, TestSize.of(25, 100, 2_000), random, longWriter);
            longWriter.commit();
            relays.settle();

            Await.until(
                    () -> "all: " + balance(relays),
                    () -> balance(relays).lost().isEmpty());
            Balance balance = balance(relays);
            System.out.println("orderly relays: " + balance + "; " + relays);
            assertThat(balance.holds()).as("%s: %s", seed, balance).isTrue();
            assertThat(balance.twice()).as("%s", seed).isEmpty();
        }
    }

    /** The check of the check: a reader that knows only "seq > last" is found out. */
    @Test
    void aReaderWithoutLateRowsIsFoundToLoseEvents() throws Exception {
        try (RelaysComingAndGoing relays = RelaysComingAndGoing.reading(LogWithoutLateRows::new, poolOfRelays)) {
            relays.start();
            writers.run(10, new Random(1));

            Await.until("the cursors have passed everything", this::everyPositionIsPassed);

            assertThat(balance(relays).lost()).isNotEmpty();
        }
    }

    // ---- hands

    /** Relays come and go every tenth of a second for as long as the writers write. */
    private void write(RelaysComingAndGoing relays, int transactions, Random random, Connection longWriter)
            throws Exception {
        Random ofWriters = new Random(random.nextLong());
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            try {
                writers.run(transactions, ofWriters);
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        });
        int turn = 0;
        relays.start();
        while (!writing.isDone()) {
            relays.turn();
            if (++turn < LONG_EVENTS / 40) {
                emitLong(longWriter, turn);
            }
            nextTurn = System.nanoTime() + 100_000_000L;
            Await.until("the next turn", () -> writing.isDone() || System.nanoTime() - nextTurn > 0);
        }
        writing.get();
        while (++turn < LONG_EVENTS / 40) {
            emitLong(longWriter, turn);
        }
    }

    private void emitLong(Connection longWriter, int turn) throws SQLException {
        writers.emit(longWriter, "long-" + turn % 10, 40);
    }

    private static boolean isLong(Event event) {
        return event.key().orElse("").startsWith("long-");
    }

    private Balance balance(RelaysComingAndGoing relays) {
        try {
            return ledger.balance(relays.arrived());
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private boolean everyPositionIsPassed() {
        try {
            return postgres.rows("SELECT o.lane FROM posthorn.outbox o GROUP BY o.lane HAVING max(o.seq) >"
                            + " (SELECT max(c.position) FROM posthorn.checkpoint c WHERE c.lane = o.lane)")
                    .isEmpty();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** As if the late branch of the read were not there. */
    private record LogWithoutLateRows(Log log) implements Log {

        @Override
        public RouteFilter filter() {
            return log.filter();
        }

        @Override
        public Page read(List<LaneRead> lanes) {
            Page page = log.read(lanes);
            List<LaneRows> fresh = page.lanes().stream()
                    .map(lane -> new LaneRows(lane.lane(), lane.fresh(), List.of()))
                    .toList();
            return new Page(page.snapshot(), page.incarnation(), fresh);
        }

        @Override
        public Page readPinned(LaneRead lane) {
            return log.readPinned(lane);
        }

        @Override
        public Windows readWindows(List<KeyWindow> windows) {
            return log.readWindows(windows);
        }

        @Override
        public Map<UUID, Long> sizes(List<UUID> ids) {
            return log.sizes(ids);
        }

        @Override
        public Map<UUID, Event> fetch(List<UUID> ids) {
            return log.fetch(ids);
        }
    }
}
