package dev.posthorn.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inbox.Inbox;
import dev.posthorn.inbox.InboxException;
import dev.posthorn.inbox.InboxSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every inbox does. A new one extends this and says how to start it.
 *
 * <p>No more than two sessions are open at a time, so that it can be used where connections are few.
 *
 * @param <T> what handlers work in
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Tag("exact")
public abstract class InboxContract<T> {

    private static final HandlerId BILL = new HandlerId("billing", "bill");
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final long LOOK_MILLIS = 200;

    private TestInbox<T> test;
    private Inbox<T> inbox;
    private ExecutorService others;

    /** In what an inbox may differ from others. Each is tested as well: who declares one has it. */
    public enum Difference {
        /** Nobody can undo what a handler did: it is there before its session is committed, and stays. */
        EFFECTS_STAY
    }

    /** In what this one differs; nothing unless told otherwise. */
    protected Set<Difference> differences() {
        return Set.of();
    }

    /** An inbox without marks. Called once before each test, and closed after it. */
    protected abstract TestInbox<T> start() throws Exception;

    @BeforeEach
    final void open() throws Exception {
        test = start();
        inbox = test.patient(LONG);
        others = Executors.newCachedThreadPool();
    }

    @AfterEach
    final void close() {
        others.shutdownNow();
        test.close();
    }

    @Test
    void theFirstTimeIsToldFromTheSecond() {
        UUID event = UUID.randomUUID();

        assertThat(marked(inbox, BILL, event)).containsExactly(event);
        assertThat(marked(inbox, BILL, event)).isEmpty();
        assertThat(marked(inbox, BILL, event)).isEmpty();
    }

    @Test
    void whatIsUndoneIsTheFirstTimeAgain() {
        UUID event = UUID.randomUUID();

        try (InboxSession<T> undone = inbox.begin()) {
            assertThat(undone.firstTimes(BILL, Set.of(event))).containsExactly(event);
        }

        assertThat(marked(inbox, BILL, event)).containsExactly(event);
    }

    @Test
    void withinASessionAnEventIsFreshOnce() {
        UUID event = UUID.randomUUID();

        try (InboxSession<T> session = inbox.begin()) {
            assertThat(session.firstTimes(BILL, Set.of(event))).containsExactly(event);
            assertThat(session.firstTimes(BILL, Set.of(event))).isEmpty();
            session.commit();
        }
    }

    @Test
    void handlersAndConsumersAreIndependent() {
        UUID event = UUID.randomUUID();
        marked(inbox, BILL, event);

        assertThat(marked(inbox, new HandlerId("billing", "count"), event)).containsExactly(event);
        assertThat(marked(inbox, new HandlerId("shipping", "bill"), event)).containsExactly(event);
        assertThat(marked(inbox, BILL, event)).isEmpty();
    }

    @Test
    void manyAreMarkedAtOnceAndOnlyTheNewOnesAreTold() {
        List<UUID> known = ids(500);
        List<UUID> fresh = ids(500);
        List<UUID> all = Stream.concat(known.stream(), fresh.stream()).toList();
        marked(inbox, BILL, known);

        assertThat(marked(inbox, BILL, all)).isEqualTo(Set.copyOf(fresh));
        assertThat(marked(inbox, BILL, all)).isEmpty();
    }

    @Test
    void anEventThatIsAskedForTwiceInOneCallIsMarkedOnce() {
        List<UUID> some = ids(50);
        List<UUID> twice = new ArrayList<>(some);
        twice.addAll(some);

        assertThat(marked(inbox, BILL, twice)).isEqualTo(Set.copyOf(some));
        assertThat(marked(inbox, BILL, twice)).isEmpty();
    }

    @Test
    void noEventsAreNoTrouble() {
        assertThat(marked(inbox, BILL, List.of())).isEmpty();
    }

    @Test
    void aSecondDeliveryWaitsAndIsSkippedWhenTheFirstIsKept() throws Exception {
        UUID event = UUID.randomUUID();

        try (InboxSession<T> first = inbox.begin()) {
            first.firstTimes(BILL, Set.of(event));
            CompletableFuture<Set<UUID>> second = markElsewhere(event);
            assertWaits(second);
            first.commit();

            assertThat(second.get(20, TimeUnit.SECONDS)).isEmpty();
        }
    }

    @Test
    void aSecondDeliveryWaitsAndIsHandledWhenTheFirstIsUndone() throws Exception {
        UUID event = UUID.randomUUID();
        InboxSession<T> first = inbox.begin();
        first.firstTimes(BILL, Set.of(event));
        CompletableFuture<Set<UUID>> second = markElsewhere(event);
        assertWaits(second);

        first.close();

        assertThat(second.get(20, TimeUnit.SECONDS)).containsExactly(event);
        assertThat(marked(inbox, BILL, event)).isEmpty();
    }

    @Test
    void whoWaitsTooLongIsToldAndNothingOfItIsMarked() {
        UUID busy = UUID.randomUUID();
        UUID other = UUID.randomUUID();

        try (InboxSession<T> first = inbox.begin()) {
            first.firstTimes(BILL, Set.of(busy));
            try (InboxSession<T> second = test.patient(SHORT).begin()) {
                assertThatThrownBy(() -> second.firstTimes(BILL, List.of(busy, other)))
                        .isInstanceOf(InboxException.class);
            }
            first.commit();
        }

        assertThat(marked(inbox, BILL, busy)).isEmpty();
        assertThat(marked(inbox, BILL, other)).containsExactly(other);
    }

    @Test
    void batchesWithTheSameEventsInOppositeOrderDoNotWaitForEachOther() throws Exception {
        for (int round = 0; round < 30; round++) {
            List<UUID> there = ids(100);
            List<UUID> back = new ArrayList<>(there);
            Collections.reverse(back);
            CountDownLatch ready = new CountDownLatch(2);

            CompletableFuture<Set<UUID>> one = markTogether(there, ready);
            CompletableFuture<Set<UUID>> other = markTogether(back, ready);

            List<UUID> fresh = new ArrayList<>(one.get(20, TimeUnit.SECONDS));
            fresh.addAll(other.get(20, TimeUnit.SECONDS));
            assertThat(fresh).containsExactlyInAnyOrderElementsOf(there);
        }
    }

    @Test
    void aSessionThatWaitsEndsWhenItIsCancelledAndTheOtherGoesOn() {
        UUID event = UUID.randomUUID();

        try (InboxSession<T> first = inbox.begin()) {
            first.firstTimes(BILL, Set.of(event));
            try (InboxSession<T> second = inbox.begin()) {
                CompletableFuture<Set<UUID>> waiting =
                        CompletableFuture.supplyAsync(() -> second.firstTimes(BILL, Set.of(event)), others);
                assertWaits(waiting);

                second.cancel();

                assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(InboxException.class);
            }
            first.commit();
        }

        assertThat(marked(inbox, BILL, event)).isEmpty();
    }

    @Test
    void anInboxThatIsNotThereSaysSo() {
        Inbox<T> unreachable = test.unreachable();

        assertThatThrownBy(() -> marked(unreachable, BILL, UUID.randomUUID())).isInstanceOf(InboxException.class);
    }

    @Test
    void marksAndEffectsAreKeptTogether() throws Exception {
        TestInbox.Effects<T> effects = test.effects();
        UUID kept = UUID.randomUUID();
        UUID undone = UUID.randomUUID();

        write(effects, kept, true);
        write(effects, undone, false);

        assertThat(effects.kept())
                .containsExactlyElementsOf(
                        differences().contains(Difference.EFFECTS_STAY) ? List.of(kept, undone) : List.of(kept));
        assertThat(marked(inbox, BILL, kept)).isEmpty();
        assertThat(marked(inbox, BILL, undone)).containsExactly(undone);
    }

    @Test
    void whatIsTriedAgainHasItsEffectAndThenAMark() throws Exception {
        TestInbox.Effects<T> effects = test.effects();
        UUID event = UUID.randomUUID();
        write(effects, event, false);

        write(effects, event, true);
        write(effects, event, true);

        assertThat(effects.kept())
                .as("the second handling, and the first where it stays")
                .hasSize(differences().contains(Difference.EFFECTS_STAY) ? 2 : 1)
                .containsOnly(event);
    }

    @Test
    void whatComesToTwoAtOnceHasOneEffect() throws Exception {
        TestInbox.Effects<T> effects = test.effects();
        List<UUID> events = ids(50);

        CompletableFuture<Void> one = CompletableFuture.runAsync(() -> handleAll(effects, events), others);
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> handleAll(effects, events), others);
        CompletableFuture.allOf(one, other).get(60, TimeUnit.SECONDS);

        assertThat(effects.kept()).containsExactlyInAnyOrderElementsOf(events);
    }

    private void handleAll(TestInbox.Effects<T> effects, List<UUID> events) {
        try {
            for (UUID event : events) {
                write(effects, event, true);
            }
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void write(TestInbox.Effects<T> effects, UUID event, boolean keep) throws Exception {
        try (InboxSession<T> session = inbox.begin()) {
            if (!session.firstTimes(BILL, Set.of(event)).isEmpty()) {
                effects.write(session.transaction(), event);
            }
            if (keep) {
                session.commit();
            }
        }
    }

    private static void assertWaits(CompletableFuture<Set<UUID>> second) {
        assertThatThrownBy(() -> second.get(LOOK_MILLIS, TimeUnit.MILLISECONDS))
                .as("it waits for the first")
                .isInstanceOf(TimeoutException.class);
    }

    private CompletableFuture<Set<UUID>> markElsewhere(UUID event) {
        return CompletableFuture.supplyAsync(() -> marked(inbox, BILL, event), others);
    }

    private CompletableFuture<Set<UUID>> markTogether(List<UUID> events, CountDownLatch ready) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (InboxSession<T> session = inbox.begin()) {
                        ready.countDown();
                        ready.await();
                        Set<UUID> fresh = session.firstTimes(BILL, events);
                        session.commit();
                        return fresh;
                    } catch (InterruptedException end) {
                        throw new IllegalStateException(end);
                    }
                },
                others);
    }

    private static <T> Set<UUID> marked(Inbox<T> inbox, HandlerId handler, UUID event) {
        return marked(inbox, handler, Set.of(event));
    }

    private static <T> Set<UUID> marked(Inbox<T> inbox, HandlerId handler, Collection<UUID> events) {
        try (InboxSession<T> session = inbox.begin()) {
            Set<UUID> fresh = session.firstTimes(handler, events);
            session.commit();
            return fresh;
        }
    }

    private static List<UUID> ids(int count) {
        return Stream.generate(UUID::randomUUID).limit(count).toList();
    }
}
