package dev.posthorn.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a transport does when its broker is killed, absent, slow or behind a dead network. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
public abstract class TransportFaultsContract extends BrokerTests {

    private static final Subscriber ORDERS = Subscriber.named("billing").domains("orders");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration LATE = Duration.ofSeconds(1);

    private boolean killed;
    private boolean frozen;

    private BrokerFaults faults() {
        require(broker().faults().isPresent(), "there is no broker that could fail");
        return broker().faults().orElseThrow();
    }

    private void kill() {
        faults().kill();
        killed = true;
    }

    private void restart() {
        faults().start();
        killed = false;
    }

    private void freeze() {
        faults().freeze();
        frozen = true;
    }

    private void thaw() {
        faults().thaw();
        frozen = false;
    }

    @AfterEach
    final void heal() {
        if (frozen) {
            thaw();
        }
        if (killed) {
            restart();
        }
    }

    @Test
    void aBrokerKilledInTheMiddleLosesNothingAndKeepsTheOrder() {
        faults();
        require(capabilities().durable(), "what it has accepted dies with it");
        Bus bus = bus();
        Inbound inbound = new Inbound();
        subscribe(bus, ORDERS, inbound);
        List<Event> events = events(3_000, 50);
        PatientPublisher publisher = closing(new PatientPublisher(bus.publisher()));

        publisher.publish(events);
        Await.within(PATIENCE, () -> publisher.left() + " left", () -> publisher.left() < 2_500);
        kill();
        restart();

        Await.within(PATIENCE, () -> publisher.left() + " not accepted", () -> publisher.left() == 0);
        Await.within(
                PATIENCE,
                () -> "3,000 to arrive, so far " + inbound.first().size(),
                () -> inbound.first().size() == 3_000);
        assertThat(inbound.byKey()).isEqualTo(Inbound.byKey(events));
        assertThat(publisher.answers(Outcome.Failed.class)
                        + publisher.answers(Outcome.Refused.class)
                        + publisher.answers(Outcome.Unknown.class))
                .as("outcomes that blame an event for the broker's death")
                .isZero();
    }

    @Test
    void anAbsentBrokerIsUnavailableAndAllGoesOnWhenItComes() {
        Bus first = bus();
        Inbound inbound = new Inbound();
        subscribe(first, ORDERS, inbound);
        publish(first, events(1, 1));
        inbound.await(1);
        kill();

        Bus bus = bus();
        Inbound late = new Inbound();
        Subscription subscription = subscribe(bus, Subscriber.named("late").domains("orders"), late);
        List<Outcome> outcomes = outcomes(bus, events(3, 3));
        Await.until(
                () -> "the subscription to say what is wrong: " + subscription.status(),
                () -> subscription.status().trouble().isPresent());
        restart();

        assertThat(outcomes).allMatch(Outcome.Unavailable.class::isInstance, "unavailable");
        List<Event> events = events(10, 10);
        PatientPublisher publisher = closing(new PatientPublisher(bus.publisher()));
        publisher.publish(events);
        Await.within(
                PATIENCE,
                () -> "the events at the first subscriber, so far "
                        + inbound.first().size(),
                () -> inbound.first().containsAll(events));
        Await.within(
                PATIENCE,
                () -> "the late subscriber to connect: " + subscription.status(),
                () -> subscription.status().trouble().isEmpty());
    }

    @Test
    void aSlowBrokerIsWaitedFor() {
        faults();
        Bus bus = bus();
        Inbound inbound = new Inbound();
        subscribe(bus, ORDERS, inbound);
        publish(bus, events(1, 1));
        inbound.await(1);
        List<Event> events = events(100, 10);

        PatientPublisher publisher = closing(new PatientPublisher(bus.publisher()));
        freeze();
        publisher.publish(events);
        pause(Duration.ofSeconds(2));
        thaw();

        Await.within(PATIENCE, () -> publisher.left() + " not accepted", () -> publisher.left() == 0);
        Await.within(
                PATIENCE,
                () -> inbound.count() + " arrived",
                () -> inbound.first().containsAll(events));
        assertThat(inbound.byKey().keySet()).containsAll(Inbound.byKey(events).keySet());
    }

    @Test
    void behindADeadNetworkEverythingIsSettledInTimeAndNothingBlocks() {
        faults();
        Bus bus = bus();
        Inbound inbound = new Inbound();
        subscribe(bus, ORDERS, inbound);
        publish(bus, events(1, 1));
        inbound.await(1);
        Publisher publisher = closing(bus.publisher());
        List<TrackedPublication> publications = TrackedPublication.firstOf(events(200, 20));

        freeze();
        CompletableFuture<Void> call = CompletableFuture.runAsync(
                () -> publications.forEach(publication -> publisher.publish(List.of(publication))));

        assertThat(call).succeedsWithin(Duration.ofSeconds(5));
        Await.within(
                Duration.ofMinutes(1),
                () -> "all to be settled, not so "
                        + publications.stream().filter(one -> !one.isSettled()).count(),
                () -> publications.stream().allMatch(TrackedPublication::isSettled));
        assertThat(publications)
                .allSatisfy(one -> assertThat(one.settlements())
                        .singleElement()
                        .isInstanceOfAny(Outcome.Unknown.class, Outcome.Unavailable.class));
        thaw();
        List<Event> after = events(20, 5);
        PatientPublisher patient = closing(new PatientPublisher(bus.publisher()));
        patient.publish(after);
        Await.within(
                PATIENCE,
                () -> inbound.count() + " arrived",
                () -> inbound.first().containsAll(after));
    }

    @Test
    void aHalfOpenConnectionIsFoundAndReplaced() {
        Forwarder network = network();
        Bus bus = bus();
        Inbound inbound = new Inbound();
        subscribe(bus, ORDERS, inbound);
        Bus far = closing(faults().openThroughNetwork(prefix()));
        publish(far, events(1, 1));
        inbound.await(1);
        List<Event> events = events(100, 20);
        PatientPublisher publisher = closing(new PatientPublisher(far.publisher()));
        publisher.publish(events);
        Await.within(PATIENCE, () -> publisher.left() + " left", () -> publisher.left() < 80);

        List<Event> behind = events(100, 50);
        network.lose();
        publisher.publish(behind);
        Await.within(
                PATIENCE,
                () -> "the silence to be noticed",
                () -> publisher.answers(Outcome.Unknown.class) + publisher.answers(Outcome.Unavailable.class) > 0);
        network.stopLosing();

        Await.within(PATIENCE, () -> publisher.left() + " not accepted", () -> publisher.left() == 0);
        Await.within(
                PATIENCE,
                () -> inbound.count() + " arrived",
                () -> inbound.first().containsAll(behind));
        assertThat(blamed(publisher))
                .as("outcomes that blame an event for the network")
                .isZero();
    }

    @Test
    void lateAnswersAreWaitedForAndNothingComesTwice() {
        Forwarder network = network();
        Bus bus = bus();
        Inbound inbound = new Inbound();
        subscribe(bus, ORDERS, inbound);
        Bus far = closing(faults().openThroughNetwork(prefix()));
        Publisher publisher = far.publisher();
        PatientPublisher patient = closing(new PatientPublisher(publisher));
        List<Event> before = events(50, 50);
        patient.publish(before);
        Await.within(PATIENCE, () -> patient.left() + " left", () -> patient.left() == 0);
        List<Event> events = events(100, 50);

        network.slow(LATE);
        patient.publish(events);

        Await.within(PATIENCE, () -> patient.left() + " not accepted", () -> patient.left() == 0);
        network.slow(Duration.ZERO);
        Await.within(
                PATIENCE,
                () -> inbound.count() + " arrived",
                () -> inbound.first().containsAll(events));
        assertThat(blamed(patient)
                        + patient.answers(Outcome.Unknown.class)
                        + patient.answers(Outcome.Unavailable.class))
                .as("outcomes other than accepted")
                .isZero();
        assertThat(inbound.count()).as("handed over").isEqualTo(150);
    }

    private Forwarder network() {
        require(faults().network().isPresent(), "it is reached without a network");
        return faults().network().orElseThrow();
    }

    private static int blamed(PatientPublisher publisher) {
        return publisher.answers(Outcome.Failed.class) + publisher.answers(Outcome.Refused.class);
    }

    /** Lets time pass at the broker, which is what this is about; nothing is hoped for. */
    private static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        Await.until("time to pass", () -> System.nanoTime() - end > 0);
    }
}
