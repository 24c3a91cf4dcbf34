package dev.posthorn.testkit;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.HostileEvents.Case;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * The part of the contract that is about hostile values: each arrives intact or is refused with a reason that names the field,
 * and the ordinary events around it on the same connection go through.
 */
abstract class HostileWireTests extends ReceivingTests {

    private static final int TEN_MEGABYTES = 10 << 20;
    private static final Subscriber ALL = Subscriber.named("all").drainTime(Duration.ofSeconds(2));

    @Test
    void everyHostileValueOfAValidEventArrivesIntactOrIsRefusedByItsField() {
        arriveOrAreRefused(HostileEvents.valid("orders"), ORDERS);
    }

    @Test
    void anEventThatWasNeverCheckedArrivesIntactOrIsRefusedByItsField() {
        arriveOrAreRefused(HostileEvents.invalid("orders"), ALL);
    }

    @Test
    void aPayloadOfTenMegabytesArrivesIntactOrIsRefused() {
        byte[] payload = new byte[TEN_MEGABYTES];
        new java.util.Random(7).nextBytes(payload);
        Event large = Event.of("orders", HostileEvents.TYPE)
                .payload(payload, "application/octet-stream")
                .build();

        arriveOrAreRefused(List.of(new Case("payload", "10 MB", large)), ORDERS);
    }

    /** Publishes all in one call and ordinary events between them, and looks at what became of each. */
    private void arriveOrAreRefused(List<Case> cases, Subscriber subscriber) {
        Bus bus = bus();
        Inbound inbound = new Inbound();
        subscribe(bus, subscriber, inbound);
        List<Event> ordinary = events(cases.size(), 20);
        List<Event> mixed = HostileEvents.amongOrdinary(cases, ordinary);
        Map<UUID, Case> byId = cases.stream().collect(toMap(one -> one.event().id(), Function.identity()));

        List<Outcome> outcomes = outcomes(bus, mixed);

        List<String> wrong = new ArrayList<>();
        Map<UUID, Event> expected = new LinkedHashMap<>();
        for (int i = 0; i < mixed.size(); i++) {
            Event event = mixed.get(i);
            Outcome outcome = outcomes.get(i);
            Case hostile = byId.get(event.id());
            if (outcome instanceof Outcome.Accepted) {
                expected.put(event.id(), event);
            } else if (hostile == null || !names(hostile.field(), outcome)) {
                wrong.add((hostile == null ? "ordinary event" : hostile) + " → " + outcome);
            }
        }
        assertThat(wrong)
                .as("outcomes that are neither accepted nor a refusal that names the field")
                .isEmpty();
        arrive(inbound, expected, byId);
        publish(bus, events(20, 20));
        inbound.await(expected.size() + 20);
        assertThat(inbound.undecodable()).as("undecodable").isEmpty();
    }

    private static void arrive(Inbound inbound, Map<UUID, Event> expected, Map<UUID, Case> hostile) {
        Await.until(
                () -> "all that was accepted to arrive, but missing are "
                        + missing(inbound, expected, hostile) + ", and undecodable "
                        + inbound.undecodable().size(),
                () -> ids(inbound.events()).containsAll(expected.keySet()));
        List<String> changed = inbound.first().stream()
                .filter(event -> !event.equals(expected.get(event.id())))
                .map(event -> String.valueOf(hostile.get(event.id())))
                .toList();
        assertThat(changed).as("events that did not arrive as they were").isEmpty();
    }

    private static List<String> missing(Inbound inbound, Map<UUID, Event> expected, Map<UUID, Case> hostile) {
        Set<UUID> arrived = ids(inbound.events());
        return expected.keySet().stream()
                .filter(id -> !arrived.contains(id))
                .map(id -> String.valueOf(hostile.get(id)))
                .toList();
    }

    /** Whether it is about this event alone, and the reason is about that field. */
    private static boolean names(String field, Outcome outcome) {
        String reason = outcome instanceof Outcome.Refused refused
                ? refused.reason()
                : outcome instanceof Outcome.Failed failed ? failed.reason() : "";
        return plain(reason).contains(plain(field));
    }

    private static String plain(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[ _-]", "");
    }

    @Test
    void domainsWithOddNamesAreServedAndKeptApart() {
        Bus bus = bus();
        Inbound one = new Inbound();
        Inbound other = new Inbound();
        subscribe(bus, Subscriber.named("one").domains("a:b"), one);
        subscribe(bus, Subscriber.named("other").domains("a/b", "a..b"), other);
        List<Event> colon = List.of(event("a:b", "1"), event("a:b", "2"));
        List<Event> slash = List.of(event("a/b", "1"), event("a..b", "2"));

        publish(bus, colon);
        publish(bus, slash);

        one.await(2);
        other.await(2);
        assertThat(one.first()).containsExactlyInAnyOrderElementsOf(colon);
        assertThat(other.first()).containsExactlyInAnyOrderElementsOf(slash);
    }
}
