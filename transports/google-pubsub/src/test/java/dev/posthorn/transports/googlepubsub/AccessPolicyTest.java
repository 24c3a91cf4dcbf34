package dev.posthorn.transports.googlepubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.transport.Names;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Subscriber;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AccessPolicyTest {

    private static final Subscriber BILLING = Subscriber.named("billing").domains("orders");
    private static final String RELAY = "serviceAccount:relay@shop-prod.iam.gserviceaccount.com";
    private static final String CONSUMER = "serviceAccount:billing@shop-prod.iam.gserviceaccount.com";

    private static GooglePubSubConfig config(Provision provision) {
        return GooglePubSubConfig.at(Endpoint.emulator("shop-prod", "127.0.0.1:1"))
                .names(Names.withPrefix("shop"))
                .provision(provision);
    }

    @Test
    void aProducerMayPublishToItsTopicsAndNothingElse() {
        List<AccessPolicy.Grant> grants =
                new AccessPolicy(config(Provision.OFF)).producer(RELAY, Set.of("orders", "stock"));

        assertThat(grants)
                .containsExactly(
                        new AccessPolicy.Grant("topic", "shop-events-orders", "roles/pubsub.publisher", RELAY),
                        new AccessPolicy.Grant("topic", "shop-events-stock", "roles/pubsub.publisher", RELAY));
    }

    @Test
    void aConsumerMayReadItsOwnSubscriptionAndWriteDeadLetters() {
        List<AccessPolicy.Grant> grants = new AccessPolicy(config(Provision.OFF)).consumer(CONSUMER, BILLING);

        assertThat(grants)
                .containsExactly(
                        new AccessPolicy.Grant(
                                "subscription", "shop-billing-orders", "roles/pubsub.subscriber", CONSUMER),
                        new AccessPolicy.Grant("topic", "shop-dlq-orders", "roles/pubsub.publisher", CONSUMER));
    }

    @Test
    void onlyWhoMakesThingsMayMakeThings() {
        assertThat(new AccessPolicy(config(Provision.VERIFY)).consumer(CONSUMER, BILLING))
                .noneMatch(grant -> grant.kind().equals("project"))
                .anyMatch(grant -> grant.role().equals("roles/pubsub.viewer"));

        AccessPolicy making = new AccessPolicy(config(Provision.CREATE));
        assertThat(making.commands(making.producer(RELAY, Set.of("orders"))))
                .startsWith("gcloud iam roles create posthornProvisioner --project=shop-prod --permissions="
                        + "pubsub.topics.create,")
                .contains("gcloud projects add-iam-policy-binding shop-prod --member=" + RELAY
                        + " --role=projects/shop-prod/roles/posthornProvisioner");
    }

    @Test
    void theReadmeShowsTheCommandsOfAProducerAndAConsumer() throws IOException {
        AccessPolicy policy = new AccessPolicy(config(Provision.OFF));
        String commands = policy.commands(policy.producer(RELAY, Set.of("orders")))
                + policy.commands(policy.consumer(CONSUMER, BILLING))
                + policy.commands(policy.pubSub(123_456, BILLING));

        assertThat(Files.readString(Path.of("README.md"))).contains(commands);
    }
}
