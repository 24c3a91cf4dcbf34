package dev.posthorn.transports.redisstreams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import io.lettuce.core.KeyValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Members come and go, and the events of a key stay in order and with one of them at a time. */
class HandoverTest extends RedisTests {

    private final Set<String> running = ConcurrentHashMap.newKeySet();
    private final List<String> overlaps = new CopyOnWriteArrayList<>();

    @Test
    @Tag("slow")
    void whileMembersComeAndGoEachKeyStaysInOrderAndWithOneOfThem() {
        List<Event> events = IntStream.range(0, 4_000)
                .mapToObj(i -> Event.of("orders", "Placed")
                        .key("key-" + i % 100)
                        .sequence(i)
                        .build())
                .toList();
        Inbound inbound = new Inbound(delivery -> {
            String key = delivery.event().key().orElseThrow();
            if (!running.add(key)) {
                overlaps.add(key);
            }
            LockSupport.parkNanos(500_000);
            running.remove(key);
            return Verdict.done();
        });
        RedisStreamsTransport transport = open(redis.config(prefix));
        Subscription first = transport.subscribe(BILLING.prefetch(20), inbound);
        PatientPublisher publisher = closing(new PatientPublisher(transport.publisher()));

        publisher.publish(events);
        inbound.await(500);
        Subscription second = open(redis.config(prefix)).subscribe(BILLING.prefetch(20), inbound);
        inbound.await(1_500);
        first.close();
        inbound.await(2_000);
        open(redis.config(prefix)).subscribe(BILLING.prefetch(20), inbound);
        inbound.await(3_000);
        second.close();

        Await.within(
                Duration.ofSeconds(60),
                () -> inbound.first().size() + " arrived",
                () -> inbound.first().size() == 4_000);
        assertThat(overlaps).isEmpty();
        assertThat(inbound.byKey()).isEqualTo(Inbound.byKey(events));
        assertThat(inbound.count()).as("with repeats").isEqualTo(4_000);
    }

    @Test
    void membersShareTheShardsEvenly() {
        open(redis.config(prefix)).subscribe(BILLING, new Inbound());
        open(redis.config(prefix)).subscribe(BILLING, new Inbound());
        Subscription third = open(redis.config(prefix)).subscribe(BILLING, new Inbound());

        Await.until(() -> "shares of 3, 3 and 2: " + shares(), () -> shares().equals(List.of(2L, 3L, 3L)));
        third.close();
        Await.until(() -> "shares of 4 and 4: " + shares(), () -> shares().equals(List.of(4L, 4L)));
    }

    @Test
    void aMemberWhoseLeaseWasTakenDropsWhatItHadAndTakesItUpWithTheLease() {
        AtomicBoolean broken = new AtomicBoolean(true);
        Inbound inbound =
                new Inbound(delivery -> broken.get() ? Verdict.retry(Duration.ofMillis(100)) : Verdict.done());
        RedisStreamsTransport transport = open(single());
        Subscription subscription = transport.subscribe(BILLING, inbound);
        List<Event> events = events(20);
        publish(transport, events);
        inbound.await(20);
        String lease = prefix + "-lease-billing-" + stream();

        admin.set(lease, Link.bytes("an impostor"));
        Await.until(
                () -> "everything to be dropped: " + subscription.status(),
                () -> subscription.status().unsettled() == 0);
        assertThat(admin.xpending(stream(), group()).getCount()).isEqualTo(20);
        broken.set(false);
        admin.del(lease);

        Await.until(
                "all to be acknowledged",
                () -> admin.xpending(stream(), group()).getCount() == 0);
        assertThat(inbound.byKey()).isEqualTo(Inbound.byKey(events));
    }

    private List<Long> shares() {
        String[] leases = IntStream.range(0, 8)
                .mapToObj(i -> prefix + "-lease-billing-" + stream() + "-" + i)
                .toArray(String[]::new);
        List<String> owners = new ArrayList<>();
        for (KeyValue<String, byte[]> lease : admin.mget(leases)) {
            owners.add(lease.hasValue() ? Link.text(lease.getValue()) : "nobody");
        }
        Map<String, Long> counts =
                owners.stream().collect(Collectors.groupingBy(owner -> owner, Collectors.counting()));
        return counts.values().stream().sorted().toList();
    }
}
