package dev.posthorn.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every transport with a receiving side does. A new one extends this and says how to start its broker. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class TransportContract extends HostileWireTests {

    @Test
    void eventsFlowToASubscriber() {
        Bus bus = bus();
        Inbound inbound = new Inbound();
        subscribe(bus, ORDERS, inbound);
        Event event = event("orders", "k");

        publish(bus, List.of(event));

        inbound.await(1);
        assertThat(inbound.events()).containsExactly(event);
    }

    @Test
    void publishingWithoutSubscribersSucceeds() {
        publish(lenientBus(), events(10, 3));
    }

    @Test
    void anEventThatNobodyWouldGetIsNotAccepted() {
        require(capabilities().reportsUnroutable(), "the broker does not tell whether anybody gets an event");

        List<Outcome> outcomes = outcomes(bus(), List.of(event("orders", "k")));

        assertThat(outcomes).allMatch(Outcome.Failed.class::isInstance, "failed");
    }

    @Test
    void aBatchArrivesWhole() {
        Bus bus = bus();
        Inbound inbound = new Inbound();
        subscribe(bus, ORDERS, inbound);
        List<Event> events = events(500, 20);

        publish(bus, events);

        inbound.await(500);
        assertThat(inbound.events()).containsExactlyInAnyOrderElementsOf(events);
    }

    @Test
    void everyFieldOfAnEventArrivesAsItWas() {
        Bus bus = bus();
        Inbound inbound = new Inbound();
        subscribe(bus, ORDERS, inbound);
        Event full = Event.of("orders", "order.placed:v1/a_b")
                .key("kunde \"1\"\\ü/😀\t")
                .sequence(Long.MAX_VALUE)
                .aggregate("order", "o 1\u2028")
                .tenant("tenant ü")
                .correlationId("request-7\u0001\u2028")
                .causationId("cause=1;2")
                .traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                .headers(Map.of("plain", "1", "x-odd", "2", "CC", "3", "with space,and\ncomma", "ü\u0001", "empty", ""))
                .occurredAt(Instant.parse("2001-02-03T04:05:06.789012Z"))
                .json("{\"é\": 1}")
                .build();
        Event bare = Event.of("orders", "order.cancelled").build();

        publish(bus, List.of(full, bare));

        inbound.await(2);
        assertThat(inbound.events()).containsExactlyInAnyOrder(full, bare);
    }

    @Test
    void thePayloadArrivesByteForByte() {
        Bus bus = bus();
        Inbound inbound = new Inbound();
        subscribe(bus, ORDERS, inbound);
        List<Event> events = new ArrayList<>(List.of(
                binary(new byte[] {}),
                binary(new byte[] {0}),
                binary(new byte[] {'a', 0, 'b', '\n', '\r', '"', '\\'}),
                binary(new byte[] {(byte) 0xC3, (byte) 0x28, (byte) 0xFF, (byte) 0xFE})));
        int large = 1 << 20;
        if (bus.capabilities().maxMessageBytes() >= large) {
            byte[] bytes = new byte[large];
            new Random(1).nextBytes(bytes);
            events.add(binary(bytes));
        }

        publish(bus, events);

        inbound.await(events.size());
        assertThat(inbound.events().stream().map(Event::payload))
                .containsExactlyInAnyOrderElementsOf(
                        events.stream().map(Event::payload).toList());
    }

    @Test
    void aPayloadThatIsTooLargeIsRefusedAndTheNextEventGoesThrough() {
        Bus bus = bus();
        long limit = bus.capabilities().maxMessageBytes();
        require(limit < 256L << 20, "it takes any payload that an event can have");
        Inbound inbound = new Inbound();
        subscribe(bus, ORDERS, inbound);
        Event good = event("orders", "k");

        List<Outcome> outcomes = outcomes(bus, List.of(binary(new byte[(int) limit + 1]), good));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(1)).isEqualTo(Outcome.accepted());
        inbound.await(1);
        assertThat(inbound.events()).containsExactly(good);
    }

    @Test
    void aSubscriberGetsItsDomainsAndTypesOnly() {
        Bus bus = bus();
        Inbound all = new Inbound();
        Inbound orders = new Inbound();
        Inbound two = new Inbound();
        Inbound placed = new Inbound();
        subscribe(bus, Subscriber.named("all"), all);
        subscribe(bus, Subscriber.named("one").domains("orders"), orders);
        subscribe(bus, Subscriber.named("two").domains("orders", "payments"), two);
        subscribe(bus, Subscriber.named("typed").domains("orders").types("Placed"), placed);
        List<Event> events = List.of(
                Event.of("orders", "Placed").key("a").build(),
                Event.of("orders", "Cancelled").key("b").build(),
                Event.of("payments", "Placed").key("c").build(),
                Event.of("stock", "Counted").key("d").build());

        publish(bus, events);

        Await.until(
                () -> all.count() + ", " + orders.count() + ", " + two.count() + " and " + placed.count() + " arrived",
                () -> all.count() >= 4 && orders.count() >= 2 && two.count() >= 3 && placed.count() >= 1);
        assertThat(all.events()).containsExactlyInAnyOrderElementsOf(events);
        assertThat(orders.events()).containsExactlyInAnyOrderElementsOf(events.subList(0, 2));
        assertThat(two.events()).containsExactlyInAnyOrderElementsOf(events.subList(0, 3));
        assertThat(placed.events()).containsExactlyElementsOf(events.subList(0, 1));
    }

    @Test
    void independentSubscribersEachGetEveryEvent() {
        Bus bus = bus();
        List<Inbound> three = IntStream.range(0, 3).mapToObj(i -> new Inbound()).toList();
        for (int i = 0; i < 3; i++) {
            subscribe(bus, Subscriber.named("subscriber-" + i).domains("orders"), three.get(i));
        }
        List<Event> events = events(60, 6);

        publish(bus, events);

        three.forEach(one -> one.await(60));
        assertThat(three).allSatisfy(one -> assertThat(one.byKey()).isEqualTo(Inbound.byKey(events)));
    }

    @Test
    void aSubscriberThatFailsHoldsUpNoOther() {
        Bus bus = bus();
        Inbound well = new Inbound();
        subscribe(bus, Subscriber.named("broken").domains("orders").drainTime(Duration.ZERO), new Inbound(delivery -> {
            throw new IllegalStateException("broken by the test");
        }));
        subscribe(bus, Subscriber.named("well").domains("orders"), well);
        List<Event> events = events(30, 3);

        publish(bus, events);

        well.await(30);
        assertThat(well.byKey()).isEqualTo(Inbound.byKey(events));
    }

    @Test
    void membersOfASubscriberShareItsEvents() {
        Inbound first = new Inbound();
        Inbound second = new Inbound();
        Bus bus = bus();
        subscribe(bus, ORDERS, first);
        subscribe(bus(), ORDERS, second);
        List<Event> events = new ArrayList<>();

        // When a member comes to share is the broker's own; so until both have something, there is more.
        Await.until(() -> "both to have something", () -> {
            List<Event> more = events(200, 200);
            events.addAll(more);
            publish(bus, more);
            Await.until("all to arrive", () -> ids(both(first, second)).size() == events.size());
            return first.count() > 0 && second.count() > 0;
        });

        assertThat(ids(both(first, second))).isEqualTo(ids(events));
    }

    @Test
    void concurrentPublishersLoseNothing() {
        Bus bus = bus();
        Inbound inbound = new Inbound();
        subscribe(bus, ORDERS, inbound);
        List<List<Event>> ofEach =
                IntStream.range(0, 4).mapToObj(i -> events(250, 10)).toList();

        ofEach.stream()
                .map(events -> CompletableFuture.runAsync(() -> publish(bus, events)))
                .toList()
                .forEach(CompletableFuture::join);

        inbound.await(1_000);
        assertThat(inbound.events())
                .containsExactlyInAnyOrderElementsOf(
                        ofEach.stream().flatMap(List::stream).toList());
    }

    @Test
    void tenThousandEventsKeepTheOrderOfEachOfTwoHundredKeys() {
        require(capabilities().ordered(), "it keeps no order");
        Bus bus = bus();
        Inbound inbound = new Inbound();
        subscribe(bus, ORDERS.concurrency(8).prefetch(200), inbound);
        List<Event> events = events(10_000, 200);

        for (int from = 0; from < events.size(); from += 1_000) {
            publish(bus, events.subList(from, from + 1_000));
        }

        Await.within(
                Duration.ofSeconds(90),
                () -> "10,000 events, so far " + inbound.count() + " deliveries",
                () -> inbound.count() >= 10_000
                        && inbound.events().stream().distinct().count() == 10_000);
        assertThat(inbound.events().stream()
                        .collect(java.util.stream.Collectors.groupingBy(
                                event -> event.key().orElseThrow()))
                        .values())
                .allSatisfy(
                        ofKey -> assertThat(ofKey.stream().map(e -> e.sequence().orElseThrow()))
                                .isSorted()
                                .doesNotHaveDuplicates()
                                .hasSize(50));
    }

    private static Event binary(byte[] payload) {
        return Event.of("orders", "Placed")
                .payload(payload, "application/octet-stream")
                .build();
    }
}
