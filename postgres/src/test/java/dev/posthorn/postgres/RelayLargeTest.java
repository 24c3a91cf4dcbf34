package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayStatus;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RetryPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sizes that must cost neither memory nor the others' time. */
@Tag("slow")
class RelayLargeTest {

    private final RelayHarness harness = new RelayHarness();

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void aBlockedKeyWithManyFollowersHoldsNobodyUpAndKeepsItsOrder() throws SQLException {
        int followers = TestSize.of(3_000, 20_000, 100_000);
        harness.policy = harness.policy.withRetry(RetryPolicy.fixed(1_000_000, Duration.ofMillis(50)));
        OrderCheck arrived = new OrderCheck();
        arrived.failing = "blocked";
        Relay relay = harness.startRelay("r1", arrived);

        insert("'blocked'", followers);
        insert("'key-' || i % 500", 5_000);
        Await.until("the others are published", () -> arrived.count.get() == 5_000);
        Await.until("the lanes have passed the followers", () -> relay.status().held() == 0);

        assertThat(count("posthorn.blocked_key")).isEqualTo(1);
        assertThat(count("posthorn.detour")).isZero();
        arrived.failing = "";
        Await.until("the followers have arrived", () -> arrived.count.get() == 5_000 + followers);
        Await.until("the key has returned", () -> count("posthorn.blocked_key") == 0);
        assertThat(arrived.disorder.get()).isZero();
    }

    @Test
    void aTransactionOfManyEventsIsDeliveredWithBoundedMemory() throws SQLException {
        int events = TestSize.of(30_000, 150_000, 1_000_000);
        OrderCheck arrived = new OrderCheck();
        Relay relay = harness.startRelay("r1", arrived);
        AtomicInteger mostHeld = new AtomicInteger();

        insert("'key-' || i % 1000", events);
        Await.until("all have arrived", () -> {
            mostHeld.accumulateAndGet(relay.status().held(), Math::max);
            return arrived.count.get() == events;
        });

        assertThat(arrived.disorder.get()).isZero();
        assertThat(mostHeld.get())
                .isLessThanOrEqualTo(16 * harness.config.lane().events());
    }

    @Test
    void aTransactionOfManyEventsThatCommitsLateIsPagedInOrder() throws SQLException {
        int events = TestSize.of(30_000, 150_000, 1_000_000);
        OrderCheck arrived = new OrderCheck();
        Relay relay = harness.startRelay("r1", arrived);
        AtomicInteger mostHeld = new AtomicInteger();
        try (Connection late = harness.postgres.transaction()) {
            TestPostgres.run(late, insertSql("'late-' || i % 1000", events));
            insert("'early-' || i % 1000", 2_000);
            Await.until("what committed first arrives first", () -> arrived.count.get() == 2_000);

            late.commit();
        }
        Await.until("the late ones have arrived", () -> {
            mostHeld.accumulateAndGet(relay.status().held(), Math::max);
            return arrived.count.get() == 2_000 + events;
        });

        assertThat(arrived.disorder.get()).isZero();
        assertThat(mostHeld.get())
                .isLessThanOrEqualTo(16 * harness.config.lane().events());
    }

    @Test
    void anIdleTransactionThatHoldsBackVacuumAndAWriterThatStaysOpenHoldNobodyUp() throws SQLException {
        int events = TestSize.of(10_000, 50_000, 500_000);
        OrderCheck arrived = new OrderCheck();
        try (Connection idle = harness.postgres.transaction();
                Connection writer = harness.postgres.transaction()) {
            idle.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            TestPostgres.rows(idle, "SELECT count(*) FROM posthorn.outbox");
            TestPostgres.run(writer, insertSql("'open'", 1));
            Relay relay = harness.startRelay("r1", arrived);

            for (int part = 0; part < 10; part++) {
                insert("'key-" + part + "-' || i % 300", events / 10);
            }
            Await.until("the others are published", () -> arrived.count.get() == events);

            writer.commit();
            Await.until("the open one arrives when it commits", () -> arrived.count.get() == events + 1);
            RelayStatus.Totals totals = relay.status().totals();
            assertThat(totals.reloads()).isZero();
        }
        assertThat(arrived.disorder.get()).isZero();
    }

    private void insert(String key, int events) throws SQLException {
        harness.postgres.run(insertSql(key, events));
    }

    /** Rows get their own number within the key as the event's sequence. */
    private static String insertSql(String key, int events) {
        return "INSERT INTO posthorn.outbox (domain, type, key, sequence, payload) SELECT 'load', 'made', " + key
                + ", i, convert_to(repeat('x', 100), 'UTF8') FROM generate_series(1, " + events + ") AS i ORDER BY i";
    }

    private int count(String table) {
        try {
            return Integer.parseInt(
                    harness.postgres.rows("SELECT count(*) FROM " + table).get(0));
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Counts what arrives and whether a key ever went backwards; keeps nothing else. */
    private static final class OrderCheck implements Publisher {

        final AtomicInteger count = new AtomicInteger();
        final AtomicLong disorder = new AtomicLong();
        volatile String failing = "";
        private final Map<String, Long> last = new ConcurrentHashMap<>();

        @Override
        public void publish(List<? extends Publication> publications) {
            for (Publication publication : publications) {
                Event event = publication.event();
                String key = event.key().orElseThrow();
                if (key.equals(failing)) {
                    publication.settle(Outcome.failed("not now"));
                } else {
                    long sequence = event.sequence().orElseThrow();
                    Long before = last.put(key, sequence);
                    if (before != null && sequence <= before) {
                        disorder.incrementAndGet();
                    }
                    count.incrementAndGet();
                    publication.settle(Outcome.accepted());
                }
            }
        }

        @Override
        public void close() {
            // nothing is held
        }
    }
}
