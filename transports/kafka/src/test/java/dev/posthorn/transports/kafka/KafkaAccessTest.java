package dev.posthorn.transports.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Passwords, and the rights that the README asks for: no more, and enough. */
@Tag("slow")
class KafkaAccessTest {

    private static final String PASSWORD = "hunter2-never-seen";

    private final KafkaBroker broker = KafkaBroker.shared();
    private final String prefix = Published.newPrefix();
    private final List<KafkaTransport> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(KafkaTransport::close);
    }

    /** As this user, whose password is the same as everybody's. */
    private KafkaTransport as(String user, Provision provision) {
        KafkaConfig config = KafkaConfig.of(broker.guardedAddress(), prefix)
                .provision(provision)
                .answerTime(Duration.ofSeconds(4))
                .discovery(Duration.ofMillis(500))
                .client(Map.of(
                        "security.protocol", "SASL_PLAINTEXT",
                        "sasl.mechanism", "SCRAM-SHA-256",
                        "sasl.jaas.config",
                                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"" + prefix
                                        + user + "\" password=\"" + PASSWORD + "\";"));
        KafkaTransport transport = config.build();
        open.add(transport);
        return transport;
    }

    private void addUser(String user) {
        broker.administrate(admin -> admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                        prefix + user, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4_096), PASSWORD)))
                .all()
                .get());
    }

    private void allow(String user, ResourceType type, String namesThatBeginWith, AclOperation... operations) {
        boolean cluster = type == ResourceType.CLUSTER;
        ResourcePattern resource = cluster
                ? new ResourcePattern(type, "kafka-cluster", PatternType.LITERAL)
                : new ResourcePattern(type, namesThatBeginWith, PatternType.PREFIXED);
        broker.administrate(admin -> admin.createAcls(Arrays.stream(operations)
                        .map(operation -> new AclBinding(
                                resource,
                                new AccessControlEntry(
                                        "User:" + prefix + user, "*", operation, AclPermissionType.ALLOW)))
                        .toList())
                .all()
                .get());
    }

    @Test
    void aWrongPasswordIsUnavailableAndSecretAndARightOneHealsThePublisherThatFailed() {
        broker.create(prefix + "-events-orders", 1, Map.of());
        allow("late", ResourceType.TOPIC, prefix + "-events-", AclOperation.WRITE, AclOperation.DESCRIBE);
        try (ErrorStream log = new ErrorStream();
                Publisher publisher = as("late", Provision.OFF).publisher()) {
            Outcome outcome = Published.by(publisher, Published.event("orders", "k"));

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Outcome.Unavailable.class,
                            unavailable -> assertThat(unavailable.reason())
                                    .contains("Authentication")
                                    .doesNotContain(PASSWORD));
            addUser("late");
            Await.until(
                    "an event to go through",
                    () -> Published.by(publisher, Published.event("orders", "k"))
                            .equals(Outcome.accepted()));
            assertThat(log.text()).doesNotContain(PASSWORD);
        }
    }

    @Test
    void aSubscriberWithAWrongPasswordSaysSoAndBeginsWhenItIsRight() {
        broker.create(prefix + "-events-orders", 1, Map.of());
        Event event = Published.event("orders", "k");
        Published.by(transportOfEverybody(), List.of(event));
        allowConsumer("late");
        Inbound inbound = new Inbound();
        Subscription subscription =
                as("late", Provision.OFF).subscribe(Subscriber.named("billing").domains("orders"), inbound);

        Await.until(
                () -> "the trouble to be told: " + subscription.status(),
                () -> subscription.status().trouble().orElse("").contains("Authentication"));
        assertThat(subscription.status().toString()).doesNotContain(PASSWORD);
        addUser("late");

        inbound.await(1);
        assertThat(inbound.events()).containsExactly(event);
    }

    private KafkaTransport transportOfEverybody() {
        KafkaTransport transport = broker.config(prefix).build();
        open.add(transport);
        return transport;
    }

    private void allowConsumer(String user) {
        allow(user, ResourceType.TOPIC, prefix + "-events-", AclOperation.READ, AclOperation.DESCRIBE);
        allow(user, ResourceType.TOPIC, prefix + "-dlq-", AclOperation.WRITE, AclOperation.DESCRIBE);
        allow(user, ResourceType.GROUP, prefix + "-billing", AclOperation.READ);
    }

    @Test
    void theRightsOfTheReadmeAreEnoughForEachRole() {
        List.of("provisioner", "producer", "consumer").forEach(this::addUser);
        allow(
                "provisioner",
                ResourceType.TOPIC,
                prefix + "-",
                AclOperation.CREATE,
                AclOperation.DESCRIBE,
                AclOperation.WRITE);
        allow("producer", ResourceType.TOPIC, prefix + "-events-", AclOperation.WRITE, AclOperation.DESCRIBE);
        allowConsumer("consumer");
        Event good = Published.event("orders", "good");
        Event bad = Published.event("orders", "bad");
        broker.create(prefix + "-dlq-orders", 1, Map.of());

        Outcome made =
                Published.by(as("provisioner", Provision.CREATE), List.of(good)).get(0);
        Inbound inbound =
                new Inbound(delivery -> delivery.event().equals(bad) ? Verdict.reject("bad") : Verdict.done());
        as("consumer", Provision.VERIFY).subscribe(Subscriber.named("billing").domains("orders"), inbound);
        Outcome published =
                Published.by(as("producer", Provision.VERIFY), List.of(bad)).get(0);

        assertThat(List.of(made, published)).containsOnly(Outcome.accepted());
        inbound.await(2);
        Await.until(
                "the dead letter", () -> broker.records(prefix + "-dlq-orders").size() == 1);
    }

    @Test
    void whoMayNotWriteGetsUnavailableWithTheTopicNamed() {
        broker.create(prefix + "-events-orders", 1, Map.of());
        addUser("reader");
        allow("reader", ResourceType.TOPIC, prefix + "-events-", AclOperation.READ, AclOperation.DESCRIBE);

        Outcome outcome = Published.by(as("reader", Provision.VERIFY), List.of(Published.event("orders", "k")))
                .get(0);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        unavailable -> assertThat(unavailable.reason()).contains(prefix + "-events-orders"));
    }
}
