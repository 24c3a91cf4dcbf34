package dev.posthorn.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Provisioning;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.SubscriberCheck;
import dev.posthorn.transport.Subscription;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What every transport with destinations at a broker keeps to: what is needed for the first time is created; what disappears is
 * named and not silently created again; nothing is created where that was not asked for; and it is said when nobody
 * subscribes.
 */
public abstract class ProvisionContract {

    private static final Subscriber BILLING = Subscriber.named("billing").domains("orders");

    private final KnownDestinations known = new KnownDestinations();

    /** A transport with names that no other test has, the same for all calls of one test. */
    protected abstract Bus open(Provisioning provisioning);

    /** Removes it from the broker, as an operator by mistake. */
    protected abstract void remove(DestinationKind kind, String name);

    /** What holds the place of a subscriber at this broker. */
    protected abstract DestinationKind ofSubscribers();

    private Provisioning remembering() {
        return new Provisioning(Provision.CREATE, known);
    }

    @Test
    void whatIsNeededForTheFirstTimeIsCreatedWithoutASetting() {
        try (Bus bus = open(remembering())) {
            Inbound inbound = new Inbound();
            bus.subscribe(BILLING, inbound);

            assertThat(publish(bus)).isEqualTo(Outcome.accepted());
            inbound.await(1);

            Await.until(
                    () -> "the destination to be registered: " + known.ofEvents(),
                    () -> !known.ofEvents().isEmpty());
            assertThat(known.names(ofSubscribers())).isNotEmpty();
        }
    }

    @Test
    void aDestinationThatDisappearsIsUnavailableAndNamedUntilItMayBeCreated() {
        try (Bus bus = open(remembering())) {
            bus.subscribe(BILLING, new Inbound()).close();
            assertThat(publish(bus)).isEqualTo(Outcome.accepted());
            Await.until(
                    "the destination to be registered", () -> !known.ofEvents().isEmpty());
        }
        Set<String> names = known.ofEvents();
        DestinationKind kind = kindOfEvents();
        names.forEach(name -> remove(kind, name));

        try (Bus bus = open(remembering());
                Publisher publisher = bus.publisher()) {
            String reason = awaitUnavailable(publisher);

            assertThat(names).as(reason).anyMatch(reason::contains);
            assertThat(reason).contains("posthorn destinations create ");
            Await.until(
                    () -> "it to be registered as missing: " + known.missed(),
                    () -> known.missed().stream().anyMatch(names::contains));
            known.missed().forEach(known::allow);
            awaitThatItExists(publisher);
        }
    }

    @Test
    void withVerifyNothingIsCreatedAndWhatIsMissingIsNamed() {
        try (Bus bus = open(new Provisioning(Provision.VERIFY, known))) {
            Subscription subscription = bus.subscribe(BILLING, new Inbound());

            assertThat(publish(bus))
                    .isInstanceOfSatisfying(
                            Outcome.Unavailable.class,
                            outcome -> assertThat(outcome.reason()).contains("missing", "provision is verify"));
            Await.until(
                    () -> "the subscriber's to be named: " + subscription.status(),
                    () -> subscription.status().trouble().isPresent());
            assertThat(known.ofEvents()).isEmpty();
        }
    }

    @Test
    void withOffNothingIsCreated() {
        try (Bus bus = open(new Provisioning(Provision.OFF, known))) {
            assertThat(publish(bus)).isNotEqualTo(Outcome.accepted());
            assertThat(known.ofEvents()).isEmpty();
        }
        try (Bus bus = open(Provisioning.STANDARD)) {
            bus.subscribe(BILLING, new Inbound()).close();
            assertThat(publish(bus)).as("once others have created it").isEqualTo(Outcome.accepted());
        }
        try (Bus bus = open(Provisioning.of(Provision.OFF))) {
            assertThat(publish(bus)).isEqualTo(Outcome.accepted());
        }
    }

    @Test
    void whatASubscriberHasAndThatDisappearsIsNamedAndNotCreatedAgain() {
        try (Bus bus = open(remembering())) {
            bus.subscribe(BILLING, new Inbound());
            Await.until(
                    "the subscriber's to be registered",
                    () -> !known.names(ofSubscribers()).isEmpty());
        }
        Set<String> names = known.names(ofSubscribers());
        names.forEach(name -> remove(ofSubscribers(), name));

        try (Bus bus = open(remembering())) {
            Subscription subscription = bus.subscribe(BILLING, new Inbound());

            Await.until(
                    () -> "what is missing to be named: " + subscription.status(),
                    () -> names.stream()
                            .anyMatch(name -> subscription
                                    .status()
                                    .trouble()
                                    .filter(trouble ->
                                            trouble.contains(name) && trouble.contains("posthorn destinations create"))
                                    .isPresent()));
            names.forEach(known::allow);
            Await.until(() -> "it to begin: " + subscription.status(), () -> {
                known.missed().forEach(known::allow);
                return subscription.status().trouble().isEmpty();
            });
        }
    }

    @Test
    void itIsSaidWhenNobodySubscribes() {
        try (Bus bus = open(remembering())) {
            publish(bus);
            Await.until(
                    "the destination to be registered", () -> !known.ofEvents().isEmpty());
            SubscriberCheck check = (SubscriberCheck) bus;

            assertThat(check.unsubscribed(known.ofEvents())).isNotEmpty().isSubsetOf(known.ofEvents());

            Inbound inbound = new Inbound();
            bus.subscribe(BILLING, inbound);
            Await.until(
                    () -> "it to be said no more: " + check.unsubscribed(known.ofEvents()),
                    () -> publish(bus).equals(Outcome.accepted())
                            && check.unsubscribed(known.ofEvents()).isEmpty());
        }
    }

    private DestinationKind kindOfEvents() {
        return List.of(DestinationKind.values()).stream()
                .filter(DestinationKind::carriesEvents)
                .filter(kind -> !known.names(kind).isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private static Event event() {
        return Event.of("orders", "Placed")
                .key("k")
                .payload("1".getBytes(UTF_8), "text/plain")
                .build();
    }

    private static Outcome publish(Bus bus) {
        try (Publisher publisher = bus.publisher()) {
            return publish(publisher);
        }
    }

    private static Outcome publish(Publisher publisher) {
        TrackedPublication publication = new TrackedPublication(event(), 1);
        publisher.publish(List.of(publication));
        return publication.awaitOutcome();
    }

    private static String awaitUnavailable(Publisher publisher) {
        Deque<String> reasons = new ArrayDeque<>(List.of(""));
        Await.until(() -> "it to be missing: " + reasons.getLast(), () -> {
            if (publish(publisher) instanceof Outcome.Unavailable unavailable) {
                reasons.addLast(unavailable.reason());
            }
            return reasons.getLast().contains("missing");
        });
        return reasons.getLast();
    }

    /** Where nobody subscribes any more an event may fail; it is not unavailable. */
    private void awaitThatItExists(Publisher publisher) {
        Await.until("it to be created", () -> {
            known.missed().forEach(known::allow);
            Outcome outcome = publish(publisher);
            return outcome.equals(Outcome.accepted()) || outcome instanceof Outcome.Failed;
        });
    }
}
