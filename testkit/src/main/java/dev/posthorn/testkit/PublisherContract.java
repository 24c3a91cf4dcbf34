package dev.posthorn.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Transport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the sending side of every transport does. A new transport extends this with its three methods.
 *
 * <p>What a transport does not declare in its capabilities is skipped, with the reason.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class PublisherContract {

    private static final int MEGABYTE = 1 << 20;

    private Transport transport;
    private Publisher publisher;

    /** The transport with a fresh, empty destination that is already listening. Called once before each test. */
    protected abstract Transport open() throws Exception;

    /** Everything that has arrived at the destination so far, in order of arrival. */
    protected abstract List<Received> received();

    /**
     * Makes the destination stand still and answers how to let it go on, or empty if it can not be slowed.
     *
     * <p>Must work after {@link #open}.
     */
    protected abstract Optional<Runnable> stall();

    /** Something that the destination never takes, of this key. Unless said otherwise it is too large. */
    protected Event unwelcome(String key) {
        long size = transport.capabilities().maxMessageBytes() + 1;
        return Event.of("orders", "Placed")
                .key(key)
                .payload(new byte[Math.toIntExact(size)], "application/octet-stream")
                .build();
    }

    @BeforeEach
    final void openTransport() throws Exception {
        transport = open();
        publisher = transport.publisher();
    }

    @AfterEach
    final void closeTransport() {
        publisher.close();
        transport.close();
    }

    @Test
    void everyPublicationIsSettledAsAcceptedExactlyOnce() {
        List<TrackedPublication> publications = TrackedPublication.firstOf(events(500, 20));

        publisher.publish(publications);
        awaitSettled(publications);
        publisher.close();
        transport.close();

        assertThat(publications).allSatisfy(one -> assertThat(one.settlements()).containsExactly(Outcome.accepted()));
    }

    @Test
    void aBatchArrivesWholeAndInOrder() {
        requireOrder();
        List<Event> events = events(300, 7);

        publishAndAwait(events);

        assertThat(idsOf(received())).isEqualTo(events.stream().map(Event::id).toList());
    }

    @Test
    void thePayloadArrivesByteForByte() {
        List<Event> events = List.of(
                binary(new byte[] {}),
                binary(new byte[] {0}),
                binary(new byte[] {'a', 0, 'b', '\n', '\r', '"', '\\'}),
                binary(new byte[] {(byte) 0xC3, (byte) 0x28, (byte) 0xFF, (byte) 0xFE}),
                Event.of("orders", "Placed")
                        .payload(new byte[] {(byte) 0xFF, 0}, "application/json")
                        .build(),
                Event.of("orders", "Placed").json("{\"é\": \"\\\" 😀\n\"}").build());

        publishAndAwait(events);

        assertThat(payloadsById(received()))
                .isEqualTo(events.stream().collect(Collectors.toMap(Event::id, Event::payload)));
    }

    @Test
    void aPayloadOfAMegabyteArrivesByteForByte() {
        assumeTrue(
                transport.capabilities().maxMessageBytes() >= MEGABYTE,
                () -> transport.name() + " takes at most "
                        + transport.capabilities().maxMessageBytes() + " bytes");
        byte[] bytes = new byte[MEGABYTE];
        new Random(1).nextBytes(bytes);

        publishAndAwait(List.of(binary(bytes)));

        assertThat(received().get(0).payload()).isEqualTo(ByteBuffer.wrap(bytes));
    }

    @Test
    void identityTypeKeyAndCorrelationArriveAsTheyWere() {
        Event full = Event.of("orders", "order.placed:v1")
                .key("kunde \"1\"\\ü/😀\t")
                .correlationId("request-7\u0001\u2028")
                .build();
        Event bare = Event.of("orders", "order.cancelled").build();

        publishAndAwait(List.of(full, bare));

        assertThat(received()).containsExactlyInAnyOrder(Received.of(full), Received.of(bare));
    }

    @Test
    void aHostileValueArrivesIntactOrIsRefusedAndHarmsNoOtherEvent() {
        List<Event> hostile = Stream.concat(
                        HostileEvents.valid("orders").stream(), HostileEvents.invalid("orders").stream())
                .map(HostileEvents.Case::event)
                .toList();
        List<Event> ordinary = events(hostile.size(), 20);
        List<TrackedPublication> publications = TrackedPublication.firstOf(ordinary);
        List<TrackedPublication> odd = TrackedPublication.firstOf(hostile);
        for (int i = 0; i < odd.size(); i++) {
            publisher.publish(List.of(odd.get(i), publications.get(i)));
        }
        awaitSettled(odd);
        awaitSettled(publications);

        assertThat(publications).extracting(TrackedPublication::awaitOutcome).containsOnly(Outcome.accepted());
        List<Received> accepted = Stream.concat(odd.stream(), publications.stream())
                .filter(one -> one.awaitOutcome().equals(Outcome.accepted()))
                .map(one -> Received.of(one.event()))
                .toList();
        awaitReceived(accepted.size());
        assertThat(received()).containsExactlyInAnyOrderElementsOf(accepted);
        assertThat(odd)
                .extracting(TrackedPublication::awaitOutcome)
                .allMatch(outcome -> outcome instanceof Outcome.Accepted || outcome instanceof Outcome.Refused);
    }

    @Test
    void concurrentPublishersLoseNothing() {
        List<List<Event>> ofEach =
                IntStream.range(0, 4).mapToObj(i -> events(500, 10)).toList();

        List<CompletableFuture<Void>> running = ofEach.stream()
                .map(events -> CompletableFuture.runAsync(() -> publishOnItsOwn(events)))
                .toList();
        running.forEach(CompletableFuture::join);

        List<UUID> sent = ofEach.stream().flatMap(List::stream).map(Event::id).toList();
        awaitReceived(sent.size());
        assertThat(idsOf(received())).containsExactlyInAnyOrderElementsOf(sent);
    }

    @Test
    void tenThousandEventsKeepTheOrderOfEachOfTwoHundredKeys() {
        requireOrder();
        List<Event> events = events(10_000, 200);
        List<TrackedPublication> publications = TrackedPublication.firstOf(events);

        for (int from = 0; from < publications.size(); from += 250) {
            publisher.publish(publications.subList(from, from + 250));
        }
        awaitSettled(publications);
        awaitReceived(events.size());

        assertThat(byKey(received()))
                .isEqualTo(byKey(events.stream().map(Received::of).toList()));
    }

    @Test
    void nothingOfAKeyArrivesBehindAnEventThatDoesNotGoThrough() {
        assumeTrue(publisher.longestRun() > 1, () -> transport.name() + " takes one event of a key at a time");
        List<Event> events = events(8, 2);
        List<Event> call = new ArrayList<>(events);
        call.add(4, unwelcome("key-0"));
        List<TrackedPublication> publications = TrackedPublication.firstOf(call);

        publisher.publish(publications);
        awaitSettled(publications);

        List<UUID> expected =
                List.of(0, 1, 2, 3, 5, 7).stream().map(i -> events.get(i).id()).toList();
        assertThat(publications.stream()
                        .filter(one -> one.awaitOutcome() instanceof Outcome.Accepted)
                        .map(one -> one.event().id()))
                .isEqualTo(expected);
        awaitReceived(expected.size());
        publisher.close();
        assertThat(idsOf(received())).isEqualTo(expected);
    }

    @Test
    void anotherCallGoesOnWithAKeyThatWasStopped() {
        assumeTrue(publisher.longestRun() > 1, () -> transport.name() + " takes one event of a key at a time");
        TrackedPublication stopped =
                TrackedPublication.firstOf(List.of(unwelcome("key-0"))).get(0);
        publisher.publish(List.of(stopped));
        assertThat(stopped.awaitOutcome()).isNotEqualTo(Outcome.accepted());

        publishAndAwait(events(2, 1));

        assertThat(received()).hasSize(2);
    }

    @Test
    void afterCloseAPublicationIsSettledAsUnavailable() {
        List<TrackedPublication> late = TrackedPublication.firstOf(events(2, 1));
        publisher.close();

        publisher.publish(late.subList(0, 1));
        Publisher another = transport.publisher();
        transport.close();
        another.publish(late.subList(1, 2));

        assertThat(late).allSatisfy(one -> {
            assertThat(one.awaitOutcome()).isInstanceOf(Outcome.Unavailable.class);
            assertThat(one.settlements()).hasSize(1);
        });
        assertThat(received()).isEmpty();
    }

    @Test
    void publishDoesNotWaitForASlowDestination() {
        Optional<Runnable> stalled = stall();
        assumeTrue(stalled.isPresent(), () -> transport.name() + " has no destination that can be slowed");
        List<TrackedPublication> publications = TrackedPublication.firstOf(events(50, 5));

        CompletableFuture<Void> publishing = CompletableFuture.runAsync(
                () -> publications.forEach(publication -> publisher.publish(List.of(publication))));

        assertThat(publishing).succeedsWithin(Duration.ofSeconds(10));
        stalled.get().run();
        awaitSettled(publications);
        awaitReceived(publications.size());
    }

    private void publishOnItsOwn(List<Event> events) {
        try (Publisher own = transport.publisher()) {
            List<TrackedPublication> publications = TrackedPublication.firstOf(events);
            publications.forEach(publication -> own.publish(List.of(publication)));
            awaitSettled(publications);
        }
    }

    private void publishAndAwait(List<Event> events) {
        List<TrackedPublication> publications = TrackedPublication.firstOf(events);
        publisher.publish(publications);
        awaitSettled(publications);
        awaitReceived(events.size());
        assertThat(publications).extracting(TrackedPublication::awaitOutcome).containsOnly(Outcome.accepted());
    }

    private static void awaitSettled(List<TrackedPublication> publications) {
        publications.forEach(TrackedPublication::awaitOutcome);
    }

    private void awaitReceived(int count) {
        Await.until(
                () -> count + " events to arrive, so far " + received().size(),
                () -> received().size() >= count);
    }

    private void requireOrder() {
        assumeTrue(transport.capabilities().ordered(), () -> transport.name() + " does not keep an order");
    }

    private static List<Event> events(int count, int keys) {
        List<Event> events = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            events.add(Event.of("orders", "Placed")
                    .key("key-" + i % keys)
                    .payload(("number " + i).getBytes(UTF_8), "text/plain")
                    .build());
        }
        return events;
    }

    private static Event binary(byte[] payload) {
        return Event.of("orders", "Placed")
                .payload(payload, "application/octet-stream")
                .build();
    }

    private static List<UUID> idsOf(List<Received> received) {
        return received.stream().map(Received::id).toList();
    }

    private static Map<UUID, ByteBuffer> payloadsById(List<Received> received) {
        return received.stream().collect(Collectors.toMap(Received::id, Received::payload));
    }

    private static Map<String, List<UUID>> byKey(List<Received> received) {
        return received.stream()
                .collect(Collectors.groupingBy(
                        one -> String.valueOf(one.key()),
                        LinkedHashMap::new,
                        Collectors.mapping(Received::id, Collectors.toList())));
    }
}
