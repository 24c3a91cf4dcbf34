package dev.posthorn.transports.googlepubsub;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.pubsub.v1.Subscription;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ProvisioningTest extends PubSubTests {

    @Test
    void aSubscriptionKeepsOrderHasADeadLetterPolicyAndNeverExpires() {
        SubscriptionSettings settings =
                TestPubSub.SUBSCRIPTIONS.maxDeliveries(7).exactlyOnce(true).retention(Duration.ofHours(5));

        var unused = open(config().subscriptions(settings)).subscribe(BILLING, new Inbound());

        Subscription made = admin.find(prefix + "-billing-orders");
        assertThat(made.getTopic()).isEqualTo(Admin.topic(eventsTopic()));
        assertThat(made.getEnableMessageOrdering()).isTrue();
        assertThat(made.getEnableExactlyOnceDelivery()).isTrue();
        assertThat(made.getAckDeadlineSeconds()).isEqualTo(10);
        assertThat(made.getMessageRetentionDuration().getSeconds()).isEqualTo(18_000);
        assertThat(made.getDeadLetterPolicy().getDeadLetterTopic()).isEqualTo(Admin.topic(prefix + "-dlq-orders"));
        assertThat(made.getDeadLetterPolicy().getMaxDeliveryAttempts()).isEqualTo(7);
        assertThat(made.getExpirationPolicy().hasTtl()).isFalse();
        assertThat(admin.find(prefix + "-dlq-orders").getTopic())
                .as("what keeps the dead letters")
                .isEqualTo(Admin.topic(prefix + "-dlq-orders"));
    }

    @Test
    void withVerifyAPublisherNamesTheTopicThatIsMissing() {
        List<Outcome> outcomes = outcomes(open(config().provision(Provision.VERIFY)), List.of(event("k")));

        assertThat(outcomes.get(0))
                .isInstanceOf(Outcome.Unavailable.class)
                .asString()
                .contains(eventsTopic());
        assertThat(admin.hasTopic(eventsTopic())).isFalse();
    }

    @Test
    void withVerifyASubscriberNamesEverythingThatIsMissingAndBeginsWhenItIsThere() {
        GooglePubSubTransport transport = open(config().provision(Provision.VERIFY));
        Inbound inbound = new Inbound();

        dev.posthorn.transport.Subscription subscription = transport.subscribe(BILLING, inbound);

        assertThat(subscription.status().trouble())
                .hasValueSatisfying(trouble -> assertThat(trouble)
                        .contains(
                                "/topics/" + eventsTopic(),
                                "/topics/" + prefix + "-dlq-orders",
                                "/subscriptions/" + prefix + "-billing-orders",
                                "/subscriptions/" + prefix + "-dlq-orders"));
        try (GooglePubSubTransport maker = new GooglePubSubTransport(config())) {
            maker.subscribe(BILLING, new Inbound()).close();
        }
        Await.until(
                () -> "it to begin: " + subscription.status(),
                () -> subscription.status().trouble().isEmpty());
        publish(transport, List.of(event("k")));
        inbound.await(1);
    }

    @Test
    void withOffNothingIsLookedForAndWhatIsMissingIsNamedWhenItIsUsed() {
        Interposer interposer = interposed();
        GooglePubSubTransport transport = open(through(interposer).provision(Provision.OFF));

        List<Outcome> outcomes = outcomes(transport, List.of(event("k")));
        dev.posthorn.transport.Subscription subscription = transport.subscribe(BILLING, new Inbound());

        assertThat(outcomes.get(0))
                .isInstanceOf(Outcome.Unavailable.class)
                .asString()
                .contains(eventsTopic());
        Await.until(
                () -> "what is missing to be named: " + subscription.status(),
                () -> subscription
                        .status()
                        .trouble()
                        .filter(trouble -> trouble.contains(prefix + "-billing-orders"))
                        .isPresent());
        assertThat(interposer.calls("GetTopic")).isEmpty();
        assertThat(interposer.calls("GetSubscription")).isEmpty();
        assertThat(interposer.calls("CreateTopic")).isEmpty();
    }

    @Test
    void withOffAPublisherAndASubscriberNeedNothingButTheirOwn() {
        try (GooglePubSubTransport maker = new GooglePubSubTransport(config())) {
            maker.subscribe(BILLING, new Inbound()).close();
        }
        GooglePubSubTransport transport = open(config().provision(Provision.OFF));
        Inbound inbound = new Inbound();

        var unused = transport.subscribe(BILLING, inbound);
        publish(transport, List.of(event("k")));

        inbound.await(1);
    }

    @Test
    void aSubscriptionThatKeepsNoOrderIsNotUsed() {
        admin.createTopic(eventsTopic());
        var unused = admin.create(Subscription.newBuilder()
                .setName(Admin.subscription(prefix + "-billing-orders"))
                .setTopic(Admin.topic(eventsTopic()))
                .build());

        dev.posthorn.transport.Subscription subscription = open(config()).subscribe(BILLING, new Inbound());

        assertThat(subscription.status().trouble())
                .hasValueSatisfying(
                        trouble -> assertThat(trouble).contains(prefix + "-billing-orders", "message ordering"));
    }

    @Test
    void aTopicThatIsDeletedIsMadeAgain() {
        GooglePubSubTransport transport = open(config());
        try (var publisher = transport.publisher()) {
            assertThat(outcomes(publisher, List.of(event("k")))).containsOnly(Outcome.accepted());
            admin.deleteTopic(eventsTopic());

            assertThat(outcomes(publisher, List.of(event("k")))).containsOnly(Outcome.accepted());
        }
        assertThat(admin.hasTopic(eventsTopic())).isTrue();
    }

    @Test
    void aSubscriptionThatIsDeletedIsMadeAgain() {
        GooglePubSubTransport transport = open(config());
        Inbound inbound = new Inbound();
        var unused = transport.subscribe(BILLING, inbound);
        publish(transport, List.of(event("before")));
        inbound.await(1);

        admin.deleteSubscription(prefix + "-billing-orders");

        // It is noticed with the next call at the latest, and one waits for up to 30 seconds.
        Await.within(Duration.ofSeconds(60), () -> "a fresh event to arrive", () -> {
            publish(transport, List.of(event("after")));
            return inbound.events().stream().anyMatch(event -> event.key().equals(java.util.Optional.of("after")));
        });
    }

    @Test
    void theFirstEventOfANewDomainReachesASubscriberOfAllDomains() {
        Inbound inbound = new Inbound();
        var unused = open(config().timing(new GooglePubSubConfig.Timing(Duration.ofSeconds(5), Duration.ofSeconds(2))))
                .subscribe(Subscriber.named("audit"), inbound);
        GooglePubSubTransport elsewhere = open(config());

        publish(elsewhere, List.of(Event.of("stock", "Counted").key("k").build()));

        inbound.await(1);
    }

    @Test
    void oneTopicCanHaveAllDomains() {
        String topic = prefix + "-domain-events";
        GooglePubSubTransport transport = open(config().oneTopic(topic));
        Inbound all = new Inbound();
        Inbound orders = new Inbound();
        var first = transport.subscribe(Subscriber.named("all"), all);
        var second = transport.subscribe(BILLING, orders);
        Event order = event("k");
        Event counted = Event.of("stock", "Counted").key("k").build();

        publish(transport, List.of(order, counted));

        all.await(2);
        orders.await(1);
        assertThat(all.events()).containsExactly(order, counted);
        assertThat(orders.events()).containsExactly(order);
        assertThat(admin.topics().stream().filter(name -> name.startsWith(prefix)))
                .containsExactlyInAnyOrder(topic, prefix + "-dlq");
        assertThat(List.of(first, second))
                .allSatisfy(one -> assertThat(one.status().trouble()).isEmpty());
    }
}
