package dev.posthorn.inboxes.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inbox.InboxException;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transports.memory.MemoryTransport;
import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Redis is away, stands still, is full or evicts: nothing is lost, and nothing is charged. */
@Tag("slow")
class RedisOutageTest extends RedisTests {

    private final UUID event = UUID.randomUUID();

    /** Whatever a test did to it. */
    @AfterEach
    void mend() {
        redis.server().thaw();
    }

    @Test
    void whileRedisIsDownNothingIsDone() throws Exception {
        RedisInbox<Claim> inbox = inbox(QUICK);
        AtomicInteger calls = new AtomicInteger();
        redis.server().kill();
        try {
            assertThatThrownBy(() -> inbox.once("billing", event, claim -> calls.incrementAndGet()))
                    .isInstanceOf(InboxException.class)
                    .hasMessageContaining("can not be reached");
            assertThat(calls).hasValue(0);
        } finally {
            redis.server().startAgain();
        }

        assertThat(inbox.once("billing", event, claim -> calls.incrementAndGet()))
                .isTrue();
    }

    @Test
    void whileRedisStandsStillNothingIsDoneAndItIsNoticed() throws Exception {
        RedisInbox<Claim> inbox = inbox(QUICK);
        inbox.once("billing", UUID.randomUUID(), claim -> {});
        AtomicInteger calls = new AtomicInteger();
        redis.server().freeze();

        assertThatThrownBy(() -> inbox.once("billing", event, claim -> calls.incrementAndGet()))
                .isInstanceOf(InboxException.class);
        assertThat(calls).hasValue(0);
        redis.server().thaw();

        Await.until("it is done", () -> done(inbox, calls));
        assertThat(calls).hasValue(1);
    }

    /** A claim whose answer was lost runs out first. */
    private boolean done(RedisInbox<Claim> inbox, AtomicInteger calls) {
        try {
            return inbox.once("billing", event, claim -> calls.incrementAndGet());
        } catch (InboxException again) {
            return false;
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void anOutageBetweenEffectAndMarkRepeatsNothingWhileTheProcessLives() throws Exception {
        RedisInbox<Claim> inbox = inbox();
        AtomicInteger calls = new AtomicInteger();
        Thread operator = new Thread(() -> redis.server().startAgain());

        boolean now = inbox.once("billing", event, claim -> {
            calls.incrementAndGet();
            redis.server().kill();
            operator.start();
        });
        operator.join();

        assertThat(now).isTrue();
        assertThat(inbox.once("billing", event, claim -> calls.incrementAndGet()))
                .isFalse();
        assertThat(calls).hasValue(1);
    }

    /** With everysec Redis puts off writing while it forces earlier writes to disk, and a kill loses what it had answered. */
    @Test
    void marksSurviveACrashOfRedisThatForcesEachToDisk() throws Exception {
        RedisInbox<Claim> inbox = inbox();
        admin.configSet("appendfsync", "always");
        inbox.once("billing", event, claim -> {});

        redis.server().kill();
        redis.server().startAgain();

        Await.until("it is reached again", () -> answers(inbox));
        assertThat(inbox.once("billing", event, claim -> {})).isFalse();
    }

    private static boolean answers(RedisInbox<Claim> inbox) {
        try {
            return inbox.risks().isEmpty();
        } catch (InboxException notYet) {
            return false;
        }
    }

    @Test
    void aConsumerWaitsForRedisAndChargesNothing() {
        RedisInbox<Claim> inbox = inbox(QUICK);
        List<UUID> handled = new CopyOnWriteArrayList<>();
        ConsumerConfig config = ConsumerConfig.of(Subscriber.named("billing").domains("orders"))
                .retries(RetryPolicy.fixed(1, Duration.ofMillis(10))) // a single charged attempt would be the last
                .reportEvery(Duration.ofMillis(50));
        MemoryTransport bus = closing(MemoryTransport.builder().build());
        PatientPublisher publisher = closing(new PatientPublisher(bus.publisher()));
        Consumer<Claim> consumer = closing(Consumer.start(
                bus,
                config,
                Handlers.<Claim>none().onAll("bill", EventHandler.of((one, claim) -> handled.add(one.id()))),
                inbox.equipment()));
        Event event = Event.of("orders", "order.placed").key("a").json("{}").build();
        redis.server().kill();
        try {
            publisher.publish(List.of(event));
            Await.until(
                    "it tells its trouble",
                    () -> consumer.report().trouble().orElse("").contains("Redis"));
            assertThat(handled).isEmpty();
        } finally {
            redis.server().startAgain();
        }

        Await.until("it is handled", () -> consumer.report().totals().handled() == 1);
        assertThat(handled).containsExactly(event.id());
        assertThat(consumer.report().totals().dead()).isZero();
        assertThat(consumer.report().totals().retried()).isZero();
    }

    @Test
    void fullMemoryIsAnOutageAndWhatHadItsEffectIsMarkedWhenThereIsRoom() throws Exception {
        RedisInbox<Claim> inbox = inbox();
        AtomicInteger calls = new AtomicInteger();
        Thread operator = new Thread(() -> {
            Await.until(
                    "the claim and then the mark were refused",
                    () -> admin.info("errorstats").matches("(?s).*errorstat_OOM:count=([2-9]|\\d{2,})\\b.*"));
            admin.configSet("maxmemory", "0");
        });
        admin.configResetstat();
        try {
            boolean now = inbox.once("billing", event, claim -> {
                admin.configSet("maxmemory", "1");
                assertThatThrownBy(() -> inbox.once("billing", UUID.randomUUID(), any -> calls.addAndGet(100)))
                        .isInstanceOf(InboxException.class)
                        .hasMessageContaining("OOM");
                calls.incrementAndGet();
                operator.start();
            });
            assertThat(now).isTrue();
        } finally {
            admin.configSet("maxmemory", "0");
            operator.join();
        }

        assertThat(calls).hasValue(1);
        assertThat(admin.get(mark(event))).isEqualTo("done");
    }

    @Test
    void anEvictedMarkRepeatsTheEffectAndLosesNothing() throws Exception {
        RedisInbox<Claim> inbox = inbox();
        AtomicInteger calls = new AtomicInteger();
        inbox.once("billing", event, claim -> calls.incrementAndGet());
        admin.configSet("maxmemory-policy", "allkeys-random");
        admin.configSet("maxmemory", "1");
        try {
            Await.until("it is evicted", () -> {
                try {
                    admin.set(prefix + ":more", "x");
                } catch (RedisCommandExecutionException full) {
                    assertThat(full).hasMessageContaining("OOM"); // whatever it evicts, it has more than a byte
                }
                return admin.exists(mark(event)) == 0;
            });
        } finally {
            admin.configSet("maxmemory", "0");
            admin.configSet("maxmemory-policy", "noeviction");
        }

        assertThat(inbox.once("billing", event, claim -> calls.incrementAndGet()))
                .isTrue();
        assertThat(calls).hasValue(2);
    }

    @Test
    void evictionAndAMissingFileAreNamedAsRisks() {
        RedisInbox<Claim> inbox = inbox();
        assertThat(inbox.risks()).isEmpty();
        admin.configSet("maxmemory-policy", "volatile-lru");
        admin.configSet("appendonly", "no");
        try {
            assertThat(inbox.risks())
                    .satisfiesExactly(
                            risk -> {
                                assertThat(risk.found())
                                        .contains("volatile-lru")
                                        .contains("No maxmemory is set yet");
                                assertThat(risk.advice()).contains("noeviction");
                            },
                            risk -> assertThat(risk.found()).contains("appendonly is no"));
        } finally {
            admin.configSet("maxmemory-policy", "noeviction");
            admin.configSet("appendonly", "yes");
        }
    }
}
