package dev.posthorn.transports.rabbitmq;

import static dev.posthorn.transports.rabbitmq.Town.event;
import static dev.posthorn.transports.rabbitmq.Town.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The README's accounts may do what they need and nothing else. The contract runs under them, too. */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LeastPrivilegeTest {

    private static final Subscriber BILLING = Subscriber.named("billing").domains("orders");

    private final Town town = new Town();

    @AfterEach
    void close() {
        town.close();
    }

    @Test
    void aRelayMayNotConsume() {
        town.closing(town.transport().subscribe(BILLING, new Inbound()));
        RabbitMqTransport relay = town.transport(RabbitMq.RELAY, config -> config.provision(Provision.OFF));

        Subscription subscription = town.closing(relay.subscribe(BILLING, new Inbound()));

        assertDenied(subscription);
    }

    @Test
    void aSubscriberMayNotPublishEvents() {
        RabbitMqTransport subscriber = town.transport(RabbitMq.SUBSCRIBER, config -> config);
        town.closing(subscriber.subscribe(BILLING, new Inbound()));

        Outcome outcome = outcome(subscriber, event("orders", "k"));

        assertThat(outcome).isInstanceOf(Outcome.Unavailable.class);
        assertThat(outcome.toString()).contains("ACCESS_REFUSED").contains(town.named("events"));
    }

    @Test
    void aSubscriberMayNotReadTheQueuesOfAnother() {
        town.closing(town.transport().subscribe(Subscriber.named("audit").domains("orders"), new Inbound()));
        RabbitMqTransport billing =
                town.transport(RabbitMq.PLAIN_SUBSCRIBER, config -> config.provision(Provision.OFF));

        Subscription subscription = town.closing(billing.subscribe(Subscriber.named("audit"), new Inbound()));

        assertDenied(subscription);
    }

    @Test
    void anAccountThatMayNotMakeThingsSaysSoInsteadOfMakingThem() {
        RabbitMqTransport relay = town.transport(RabbitMq.PLAIN_RELAY, config -> config);
        RabbitMqTransport subscriber = town.transport(RabbitMq.PLAIN_SUBSCRIBER, config -> config);

        assertThat(outcome(relay, event("orders", "k"))).isInstanceOf(Outcome.Unavailable.class);
        assertDenied(town.closing(subscriber.subscribe(BILLING, new Inbound())));
    }

    @Test
    void whereEverythingIsProvidedAccountsThatMayMakeNothingDo() {
        town.closing(town.transport(User.ADMIN, config -> config).subscribe(BILLING, new Inbound()))
                .close();
        for (Provision provision : List.of(Provision.VERIFY, Provision.OFF)) {
            RabbitMqTransport relay = town.transport(RabbitMq.PLAIN_RELAY, config -> config.provision(provision));
            RabbitMqTransport subscriber =
                    town.transport(RabbitMq.PLAIN_SUBSCRIBER, config -> config.provision(provision));
            Event good = event("orders", "good");
            Event bad = event("orders", "bad");
            Inbound inbound =
                    new Inbound(delivery -> delivery.event().equals(bad) ? Verdict.reject("bad") : Verdict.done());
            Subscription subscription = town.closing(subscriber.subscribe(BILLING, inbound));

            assertThat(Town.outcomes(relay, List.of(good, bad))).containsOnly(Outcome.accepted());

            inbound.await(2);
            Await.until(
                    "the dead letter",
                    () -> RabbitMq.peek(town.named("billing.dlq")).stream()
                            .anyMatch(dead ->
                                    bad.id().toString().equals(dead.getProps().getMessageId())));
            subscription.close();
        }
    }

    @Test
    void whatIsMissingIsNamed() {
        RabbitMqTransport subscriber =
                town.transport(RabbitMq.PLAIN_SUBSCRIBER, config -> config.provision(Provision.VERIFY));

        Subscription subscription = town.closing(subscriber.subscribe(BILLING, new Inbound()));

        assertThat(subscription.status().trouble())
                .hasValueSatisfying(trouble ->
                        assertThat(trouble).contains("the exchange " + town.named("events") + " is missing"));
    }

    private static void assertDenied(Subscription subscription) {
        assertThat(subscription.status().trouble())
                .hasValueSatisfying(trouble -> assertThat(trouble).contains("ACCESS_REFUSED"));
    }
}
