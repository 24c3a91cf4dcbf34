package dev.posthorn.postgres;

import static dev.posthorn.postgres.ConsumerHarness.config;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.CallStore.CallId;
import dev.posthorn.inbox.CallStore.Claim;
import dev.posthorn.inbox.CallTakenException;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inbox.InboxException;
import dev.posthorn.inbox.OutsideCall;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.RetryPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Effects outside the database: claim → call → answer kept. Run with the rights of a consumer. */
class OutsideCallTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final RetryPolicy ONCE = RetryPolicy.fixed(1, Duration.ofMillis(10));

    private final AtomicInteger calls = new AtomicInteger();
    private final Set<String> keys = Collections.synchronizedSet(new LinkedHashSet<>());
    private ConsumerHarness harness;
    private PostgresCalls store;

    @BeforeEach
    void open() throws SQLException {
        harness = new ConsumerHarness();
        store = new PostgresCalls(
                TestRole.create(harness.postgres, Schema.DEFAULT, RoleKind.CONSUMER)
                        .dataSource(),
                Schema.DEFAULT);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private OutsideCall rail(Duration lease) {
        return new OutsideCall("rail", store, lease);
    }

    /** A remote system that recognises its keys, and says how often each came. */
    private String submit(String key) {
        keys.add(key);
        return "ref-" + calls.incrementAndGet();
    }

    @Test
    void isMadeWithTheEventsIdAndAnsweredFromMemoryAfterwards() throws Exception {
        Event event = ConsumerHarness.event("a");

        assertThat(rail(LONG).once(event, this::submit)).isEqualTo("ref-1");
        assertThat(rail(LONG).once(event, this::submit)).isEqualTo("ref-1");

        assertThat(keys).containsExactly(event.id().toString());
        assertThat(calls).hasValue(1);
        assertThat(new OutsideCall("refund", store, LONG).once(event, this::submit))
                .as("another operation is another call")
                .isEqualTo("ref-2");
    }

    @Test
    void isNotRepeatedWhenTheHandlerFailsAfterIt() {
        AtomicInteger handlings = new AtomicInteger();
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {
            String reference = rail(LONG).once(event, this::submit);
            ConsumerHarness.write(reference, event, connection);
            if (handlings.incrementAndGet() < 3) {
                throw new IllegalStateException("after the call");
            }
        });
        Event event = ConsumerHarness.event("a");

        try (Consumer<Connection> consumer =
                harness.start(config(), Handlers.<Connection>none().onAll("pay", handler))) {
            harness.publish(event);
            Await.until("it is handled", () -> consumer.report().totals().handled() == 1);
        }

        assertThat(calls).hasValue(1);
        assertThat(harness.effects()).containsExactly("ref-1 " + event.id());
    }

    @Test
    void isMadeAgainAtOnceWhenItFailed() throws Exception {
        Event event = ConsumerHarness.event("a");

        assertThatThrownBy(() -> rail(LONG).once(event, key -> {
                    submit(key);
                    throw new IllegalStateException("connection reset");
                }))
                .hasMessage("connection reset");

        assertThat(rail(LONG).once(event, this::submit)).isEqualTo("ref-2");
        assertThat(keys)
                .as("the remote recognises it")
                .containsExactly(event.id().toString());
    }

    @Test
    void waitsForAnotherProcessAndIsNotGivenUpMeanwhile() {
        Event event = ConsumerHarness.event("a");
        CallId call = new CallId("rail", event.id());
        assertThat(store.claim(call, UUID.randomUUID(), Duration.ofMillis(400))).isInstanceOf(Claim.Ours.class);
        EventHandler<Connection> handler = EventHandler.of(
                (any, connection) -> ConsumerHarness.write(rail(LONG).once(any, this::submit), any, connection));

        try (Consumer<Connection> consumer = harness.start(
                config().retries(ONCE), Handlers.<Connection>none().onAll("pay", handler))) {
            harness.publish(event);
            Await.until(
                    "it tells that it waits",
                    () -> consumer.report().trouble().orElse("").contains("Another one may be calling rail"));
            assertThat(calls).hasValue(0);
            Await.until(
                    "the claim has run out", () -> consumer.report().totals().handled() == 1);
        }

        assertThat(calls).hasValue(1);
        assertThat(harness.letters()).as("a single attempt was allowed").isEmpty();
    }

    @Test
    void twoAtOnceCallOnce() throws InterruptedException {
        Event event = ConsumerHarness.event("a");
        CountDownLatch inCall = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Thread first = new Thread(() -> {
            try {
                String unused = rail(LONG).once(event, key -> {
                    inCall.countDown();
                    go.await();
                    return submit(key);
                });
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        });
        first.start();
        inCall.await();

        assertThatThrownBy(() -> rail(LONG).once(event, this::submit))
                .isInstanceOfSatisfying(
                        CallTakenException.class,
                        taken -> assertThat(taken.left()).isBetween(Duration.ofMinutes(4), LONG));
        go.countDown();
        first.join();

        assertThat(calls).hasValue(1);
    }

    @Test
    void anAnswerThatComesAfterTheLeaseDoesNotReplaceTheOther() {
        CallId call = new CallId("rail", UUID.randomUUID());
        UUID slow = UUID.randomUUID();
        UUID next = UUID.randomUUID();
        store.claim(call, slow, Duration.ofMillis(1));
        Await.until("the claim has run out", () -> store.claim(call, next, LONG) instanceof Claim.Ours);

        assertThat(store.answered(call, slow, "late")).isFalse();
        assertThat(store.answered(call, next, "right")).isTrue();
        assertThat(store.answered(call, slow, "later")).isFalse();
        store.release(call, slow);

        assertThat(store.claim(call, UUID.randomUUID(), LONG)).isEqualTo(new Claim.Answered("right"));
        assertThat(harness.rows("SELECT calls, answer FROM posthorn.outside_call"))
                .containsExactly("2|right");
    }

    @Test
    void isForgottenWithTheRetentionOfTheInboxUnlessItIsClaimed() throws Exception {
        String unused = rail(LONG).once(ConsumerHarness.event("a"), this::submit);
        store.claim(new CallId("rail", UUID.randomUUID()), UUID.randomUUID(), LONG);
        PostgresInboxPruner pruner = new PostgresInboxPruner(harness.pool, Schema.DEFAULT, InboxRetention.standard());
        assertThat(pruner.prune().calls()).isZero();
        harness.postgres.run("UPDATE posthorn.outside_call SET claimed_at = claimed_at - interval '31 days'");

        assertThat(pruner.prune().calls()).isEqualTo(1);
        assertThat(harness.rows("SELECT answer IS NULL FROM posthorn.outside_call"))
                .containsExactly("t");
    }

    @Test
    void isNotMadeWhenNobodyCouldRememberIt() {
        PostgresCalls away = new PostgresCalls(harness.postgres.dataSource(), new Schema("nowhere"));

        assertThatThrownBy(() -> new OutsideCall("rail", away, LONG).once(ConsumerHarness.event("a"), this::submit))
                .isInstanceOf(InboxException.class)
                .hasMessageContaining("Calls to the outside can not be remembered");
        assertThat(calls).hasValue(0);
    }
}
