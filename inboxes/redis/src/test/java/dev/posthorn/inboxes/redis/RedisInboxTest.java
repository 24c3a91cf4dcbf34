package dev.posthorn.inboxes.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.PosthornException;
import dev.posthorn.inbox.InboxException;
import dev.posthorn.inbox.InboxSession;
import dev.posthorn.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The life of a mark: claimed, renewed, done, given up, taken. */
@Tag("slow")
class RedisInboxTest extends RedisTests {

    private final UUID event = UUID.randomUUID();

    @Test
    void workIsDoneOnceForAConsumer() throws Exception {
        RedisInbox<Claim> inbox = inbox();
        AtomicInteger calls = new AtomicInteger();

        assertThat(inbox.once("billing", event, claim -> calls.incrementAndGet()))
                .isTrue();
        assertThat(inbox.once("billing", event, claim -> calls.incrementAndGet()))
                .isFalse();
        assertThat(inbox.once("shipping", event, claim -> calls.incrementAndGet()))
                .isTrue();

        assertThat(calls).hasValue(2);
    }

    @Test
    void theMarkHasTheDocumentedKeyAndIsKnownFor720Hours() throws Exception {
        inbox().once("billing", event, claim -> {
            assertThat(admin.get(mark(event))).startsWith("processing:");
            assertThat(admin.pttl(mark(event))).isBetween(20_000L, 30_000L);
        });

        assertThat(admin.get(mark(event))).isEqualTo("done");
        assertThat(admin.pttl(mark(event)))
                .isBetween(Duration.ofHours(719).toMillis(), Duration.ofDays(30).toMillis());
    }

    @Test
    void eachOtherHandlerOfAConsumerHasAMarkOfItsOwn() {
        RedisInbox<Claim> inbox = inbox();

        try (InboxSession<Claim> session = inbox.begin()) {
            assertThat(session.firstTimes(MAIN, Set.of(event))).containsExactly(event);
            assertThat(session.firstTimes(BILL, Set.of(event))).containsExactly(event);
            session.commit();
        }

        assertThat(keys()).containsExactlyInAnyOrder(mark(event), mark(event) + ":bill");
    }

    @Test
    void whatFailsLeavesNothing() {
        RedisInbox<Claim> inbox = inbox();

        assertThatThrownBy(() -> inbox.once("billing", event, claim -> {
                    throw new IllegalStateException("no account");
                }))
                .hasMessage("no account");

        assertThat(keys()).isEmpty();
        assertThat(inbox.claims()).isZero();
    }

    @Test
    void whatAnotherProgramHasMarkedIsDone() throws Exception {
        admin.set(mark(event), "1");

        assertThat(inbox().once("billing", event, claim -> {})).isFalse();
    }

    @Test
    void aMarkThatIsForgottenIsHandledAgainAndAClaimIsNotForgotten() throws Exception {
        RedisInbox<Claim> inbox = inbox();
        inbox.once(
                "billing", event, claim -> assertThat(inbox.forget(MAIN, event)).isFalse());

        assertThat(inbox.forget(MAIN, event)).isTrue();
        assertThat(inbox.forget(MAIN, event)).isFalse();
        assertThat(inbox.once("billing", event, claim -> {})).isTrue();
    }

    @Test
    void aClaimOutlivesItsLeaseWhileAHandlerRuns() throws Exception {
        RedisInbox<Claim> inbox = inbox(QUICK);
        RedisInbox<Claim> other = inbox(QUICK.patience(Duration.ofMillis(50)));

        inbox.once("billing", event, claim -> {
            long begin = System.nanoTime();
            Await.until(
                    "three leases are over",
                    () -> System.nanoTime() - begin
                            > QUICK.lease().multipliedBy(3).toNanos());
            claim.check();
            assertThatThrownBy(() -> other.once("billing", event, any -> {})).isInstanceOf(InboxException.class);
        });

        assertThat(admin.get(mark(event))).isEqualTo("done");
    }

    @Test
    void whatADeadProcessHadClaimedIsHandledByTheNextAfterTheLease() throws Exception {
        RedisInbox<Claim> dead = inbox(QUICK);
        dead.begin().firstTimes(MAIN, Set.of(event));
        dead.close(); // nothing is renewed, and nothing is given up

        assertThat(admin.get(mark(event))).startsWith("processing:");
        assertThat(inbox(QUICK).once("billing", event, claim -> {})).isTrue();
    }

    @Test
    void whoHasLostTheClaimKnowsBeforeACallAndDoesNotTakeTheMarkAway() {
        RedisInbox<Claim> inbox = inbox(QUICK);

        assertThatThrownBy(() -> inbox.once("billing", event, claim -> {
                    admin.set(mark(event), "processing:another");
                    Await.until("it is noticed", () -> !claim.isSure());
                    claim.check();
                }))
                .isInstanceOf(InboxException.class)
                .hasMessageContaining("another member may have it");

        assertThat(admin.get(mark(event))).isEqualTo("processing:another");
    }

    @Test
    void whoHasLostTheClaimAndWasNotAskingLeavesTheMarkToTheOther() {
        RedisInbox<Claim> inbox = inbox();

        assertThatThrownBy(() -> inbox.once("billing", event, claim -> admin.set(mark(event), "processing:another")))
                .isInstanceOf(InboxException.class)
                .hasMessageContaining("in work");

        assertThat(admin.get(mark(event))).isEqualTo("processing:another");
    }

    @Test
    void ifTheOtherIsDoneAlreadyItIsDone() throws Exception {
        assertThat(inbox().once("billing", event, claim -> admin.set(mark(event), "done")))
                .isTrue();
    }

    @Test
    void effectsOfAUnitOfWorkAreNotKeptWhenTheClaimWasLost() {
        Book book = new Book();
        RedisInbox<List<UUID>> inbox = closing(RedisInbox.around(redis.config(prefix), book));

        assertThatThrownBy(() -> inbox.once("billing", event, written -> {
                    written.add(event);
                    admin.set(mark(event), "processing:another");
                }))
                .isInstanceOf(InboxException.class)
                .hasMessageContaining("Nothing was kept here");

        assertThat(book.kept()).isEmpty();
        assertThat(admin.get(mark(event))).isEqualTo("processing:another");
    }

    @Test
    void aClaimThatVanishedIsMarkedWhenNobodyElseHasIt() throws Exception {
        Book book = new Book();
        RedisInbox<List<UUID>> around = closing(RedisInbox.around(redis.config(prefix), book));
        UUID second = UUID.randomUUID();

        inbox().once("billing", event, claim -> admin.del(mark(event)));
        around.once("billing", second, written -> {
            written.add(second);
            admin.del(mark(second));
        });

        assertThat(admin.get(mark(event))).isEqualTo("done");
        assertThat(admin.get(mark(second))).isEqualTo("done");
        assertThat(book.kept()).containsExactly(second);
    }

    @Test
    void anInterruptedHandlerThatFinishesIsMarked() throws Exception {
        inbox().once("billing", event, claim -> Thread.currentThread().interrupt());

        assertThat(Thread.interrupted()).as("it stays interrupted").isTrue();
        assertThat(admin.get(mark(event))).isEqualTo("done");
    }

    @Test
    void anInboxThatIsClosedBetweenEffectAndMarkSaysSo() {
        RedisInbox<Claim> inbox = inbox();

        assertThatThrownBy(() -> inbox.once("billing", event, claim -> inbox.close()))
                .isInstanceOf(InboxException.class);

        assertThat(admin.get(mark(event))).as("it is handled again later").startsWith("processing:");
    }

    @Test
    void memoryIsBoundedEveryKeyExpiresAndNoClaimIsLeft() throws Exception {
        RedisInbox<Claim> inbox = inbox(redis.config(prefix).known(Duration.ofMinutes(1)));
        List<UUID> events = Stream.generate(UUID::randomUUID).limit(500).toList();
        for (UUID one : events) {
            inbox.once("billing", one, claim -> {});
        }
        try (InboxSession<Claim> undone = inbox.begin()) {
            undone.firstTimes(BILL, events);
        }

        assertThat(inbox.claims()).isZero();
        assertThat(keys())
                .hasSize(500)
                .allSatisfy(key -> assertThat(admin.pttl(key)).isBetween(1L, 60_000L));
    }

    @Test
    void whatMakesNoSenseIsRefusedAllAtOnceAndTellsNoPassword() {
        assertThatThrownBy(() -> new RedisInboxConfig(
                        redis.uri("somebody", "hidden"),
                        io.lettuce.core.ClientOptions.create(),
                        "a:b",
                        Duration.ofSeconds(1),
                        new RedisInboxConfig.Timing(Duration.ZERO, Duration.ofMillis(10), Duration.ZERO)))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("prefix")
                .hasMessageContaining("timing.answer")
                .hasMessageContaining("timing.lease")
                .hasMessageContaining("timing.patience");
        assertThat(redis.config(prefix).toString()).doesNotContain(TestRedis.SECRET);
        assertThatThrownBy(() -> RedisInboxConfig.at("redis//user:hidden@host")).hasMessageNotContaining("hidden");
    }
}
