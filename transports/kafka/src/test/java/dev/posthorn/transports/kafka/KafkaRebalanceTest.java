package dev.posthorn.transports.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Delivery;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What members do with each other's events while partitions move between them. */
@Tag("slow")
@Tag("exact")
class KafkaRebalanceTest {

    private static final Subscriber BILLING = Subscriber.named("billing").domains("orders");

    private final KafkaBroker broker = KafkaBroker.shared();
    private final String prefix = Published.newPrefix();
    private final List<KafkaTransport> open = new ArrayList<>();
    private final Set<String> atHand = ConcurrentHashMap.newKeySet();
    private final Set<String> atOnce = ConcurrentHashMap.newKeySet();
    private final Inbound inbound = new Inbound(this::handle);

    @AfterEach
    void close() {
        open.forEach(KafkaTransport::close);
    }

    private KafkaTransport transport() {
        KafkaTransport transport = broker.config(prefix).build();
        open.add(transport);
        return transport;
    }

    private Verdict handle(Delivery delivery) {
        String key = delivery.event().key().orElseThrow();
        if (!atHand.add(key)) {
            atOnce.add(key);
        }
        pause(10);
        atHand.remove(key);
        return Verdict.done();
    }

    @Test
    void whileMembersComeAndGoEachEventIsHandledOnceInOrderAndNoKeyTwiceAtATime() {
        KafkaTransport transport = transport();
        List<Event> events = Published.events(2_000, 40);
        Subscription first = transport.subscribe(BILLING, inbound);
        Published.by(transport, events);
        inbound.await(50);

        Subscription second = transport().subscribe(BILLING, inbound);
        Await.until("the second to share", () -> second.status().totals().done() > 20);
        Subscription third = transport().subscribe(BILLING, inbound);
        Await.until("the third to share", () -> third.status().totals().done() > 20);
        first.close();
        second.close();

        inbound.await(2_000);
        assertThat(atOnce).as("keys that two members had at hand").isEmpty();
        assertThat(inbound.events()).hasSize(2_000);
        assertThat(Inbound.byKey(inbound.events())).isEqualTo(Inbound.byKey(events));
    }

    private static void pause(long millis) {
        try {
            var unused = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException("stopped while handling", stopped);
        }
    }
}
