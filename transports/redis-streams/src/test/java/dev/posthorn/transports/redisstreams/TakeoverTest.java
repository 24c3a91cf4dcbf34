package dev.posthorn.transports.redisstreams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import io.lettuce.core.Consumer;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.XTrimArgs;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What members leave behind that died, and what others do to entries that are not handled. */
@Tag("slow")
@Tag("exact")
class TakeoverTest extends RedisTests {

    @Test
    void entriesOfADeadMemberComeFirstAndSayThatTheyWereDeliveredBefore() {
        RedisStreamsTransport transport = open(single());
        List<Event> events = List.of(event("k"), event("k"), event("k"));
        publish(transport, events);
        deadMemberTakes(2);
        Inbound inbound = new Inbound();

        transport.subscribe(BILLING, inbound);

        inbound.await(3);
        assertThat(inbound.events()).isEqualTo(events);
        assertThat(inbound.all().stream().map(Inbound.Got::deliveries)).containsExactly(2, 2, 1);
        assertThat(inbound.all().stream().map(Inbound.Got::attempt)).containsExactly(1, 1, 1);
        Await.until("all to be acknowledged", () -> pending() == 0);
    }

    @Test
    void anEntryThatIsDeletedWhileItIsPendingIsALossThatShows() {
        RedisStreamsTransport transport = open(single());
        List<Event> events = List.of(event("k"), event("k"));
        publish(transport, events);
        List<StreamMessage<String, byte[]>> taken = deadMemberTakes(1);
        admin.xdel(stream(), taken.get(0).getId());
        Inbound inbound = new Inbound();

        Subscription subscription = transport.subscribe(BILLING, inbound);

        inbound.await(1);
        assertThat(inbound.events()).containsExactly(events.get(1));
        assertThat(subscription.status().trouble())
                .hasValueSatisfying(trouble -> assertThat(trouble).contains("1 events were lost"));
    }

    @Test
    void entriesThatAreTrimmedByHandWhilePendingAreLossesThatShow() {
        RedisStreamsTransport transport = open(single());
        publish(transport, events(5));
        deadMemberTakes(5);
        admin.xtrim(stream(), XTrimArgs.Builder.maxlen(0));

        Subscription subscription = transport.subscribe(BILLING, new Inbound());

        Await.until(
                () -> "five losses: " + subscription.status(),
                () -> subscription.status().trouble().orElse("").startsWith("5 events were lost"));
    }

    @Test
    void anEntryThatIsDeletedWhileAMemberHasItAndGivesItBackIsALossThatShows() {
        RedisStreamsTransport transport = open(single());
        CountDownLatch begun = new CountDownLatch(1);
        Subscription leaving = transport.subscribe(BILLING.drainTime(Duration.ofMillis(1)), delivery -> {
            begun.countDown();
            awaitInterruption();
        });
        publish(transport, List.of(event("k")));
        Await.until("the handler to have it", () -> begun.getCount() == 0);
        admin.xtrim(stream(), XTrimArgs.Builder.maxlen(0));

        leaving.close();

        assertThat(leaving.status().trouble())
                .hasValueSatisfying(trouble -> assertThat(trouble).contains("1 events were lost"));
    }

    @Test
    void whatAMemberGivesBackComesAtOnceAndNoAttemptIsCharged() {
        RedisStreamsConfig patient = single().timing(new RedisStreamsConfig.Timing(
                Duration.ofSeconds(10), Duration.ofMinutes(5), Duration.ofHours(1), Duration.ofMinutes(1)));
        CountDownLatch begun = new CountDownLatch(1);
        RedisStreamsTransport transport = open(patient);
        Subscription leaving = transport.subscribe(BILLING.concurrency(1).drainTime(Duration.ofMillis(1)), delivery -> {
            begun.countDown();
            awaitInterruption();
        });
        List<Event> events = events(10);
        publish(transport, events);
        Await.until("the handler to have it", () -> begun.getCount() == 0);
        Inbound next = new Inbound();

        leaving.close();
        open(patient).subscribe(BILLING, next);

        next.await(10);
        assertThat(next.byKey()).isEqualTo(Inbound.byKey(events));
        assertThat(next.all().stream().map(Inbound.Got::attempt)).containsOnly(1);
    }

    @Test
    void whileAHandlerRunsItsEntryStaysYoung() {
        RedisStreamsTransport transport = open(single());
        CountDownLatch go = new CountDownLatch(1);
        transport.subscribe(BILLING, new Inbound(delivery -> {
            await(go);
            return Verdict.done();
        }));
        publish(transport, List.of(event("k")));
        Await.until("the entry to be pending", () -> pending() == 1);
        long start = System.nanoTime();

        Await.until(
                "three leases to pass",
                () -> System.nanoTime() - start > 3 * TestRedis.TIMING.lease().toNanos());

        assertThat(admin.xpending(stream(), group(), io.lettuce.core.Range.unbounded(), io.lettuce.core.Limit.from(1))
                        .get(0)
                        .getSinceLastDelivery())
                .isLessThan(TestRedis.TIMING.lease());
        go.countDown();
    }

    @Test
    void aStreamThatIsDeletedIsMadeAgain() {
        RedisStreamsTransport transport = open(single());
        Inbound inbound = new Inbound();
        transport.subscribe(BILLING, inbound);
        publish(transport, List.of(event("k")));
        inbound.await(1);
        admin.del(stream());
        Event after = event("k");

        publish(transport, List.of(after));

        Await.until("the event behind it", () -> inbound.events().contains(after));
    }

    @Test
    void membersThatAreGoneForLongAndHaveNothingAreRemovedFromTheGroup() {
        RedisStreamsTransport transport = open(single());
        publish(transport, List.of(event("k")));
        admin.xgroupCreate(StreamOffset.from(stream(), "0"), group());
        admin.xgroupCreateconsumer(stream(), Consumer.from(group(), "long-gone"));
        Link link = closing(connector().connect().join());
        Await.until("it to be idle", () -> {
            link.await(link.run(Script.TIDY, List.of(stream()), List.of("me", group(), "1")));
            return admin.xinfoConsumers(stream(), group()).isEmpty();
        });
    }

    @Test
    void whoHasLostTheLeaseReadsAndTakesOverNothing() {
        RedisStreamsTransport transport = open(single());
        publish(transport, List.of(event("k")));
        deadMemberTakes(0);
        Link link = closing(connector().connect().join());
        String lease = prefix + "-lease-billing-" + stream();
        admin.set(lease, "other".getBytes(java.nio.charset.StandardCharsets.UTF_8));

        List<Object> read = link.await(link.run(Script.READ, List.of(lease, stream()), List.of("me", group(), "10")));
        List<Object> recovered =
                link.await(link.run(Script.RECOVER, List.of(lease, stream()), List.of("me", group(), "0", "-", "10")));

        assertThat(Link.text(read.get(0))).isEqualTo("LOST");
        assertThat(Link.text(recovered.get(0))).isEqualTo("LOST");
        assertThat(pending()).isZero();
    }

    private Connector connector() {
        return closing(new Connector(single().uri(), single().client(), Duration.ofSeconds(10)));
    }

    @SuppressWarnings("unchecked") // the generic array of a variable number of streams
    private List<StreamMessage<String, byte[]>> deadMemberTakes(int count) {
        admin.xgroupCreate(StreamOffset.from(stream(), "0"), group());
        return count == 0
                ? List.of()
                : admin.xreadgroup(
                        Consumer.from(group(), "dead"),
                        XReadArgs.Builder.count(count),
                        StreamOffset.lastConsumed(stream()));
    }

    private long pending() {
        return admin.xpending(stream(), group()).getCount();
    }

    private static void awaitInterruption() {
        await(new CountDownLatch(1));
    }

    private static void await(CountDownLatch latch) {
        try {
            var unused = latch.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException("stopped while handling", stopped);
        }
    }
}
