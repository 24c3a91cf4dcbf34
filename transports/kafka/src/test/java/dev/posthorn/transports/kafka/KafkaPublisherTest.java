package dev.posthorn.transports.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Publisher;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
class KafkaPublisherTest {

    private final KafkaBroker broker = KafkaBroker.shared();
    private final String prefix = Published.newPrefix();
    private final KafkaConfig config = broker.config(prefix);
    private final String topic = prefix + "-events-orders";
    private final KafkaTransport transport = config.build();

    @AfterEach
    void close() {
        transport.close();
    }

    @Test
    void anEventOfLongAgoGetsTheTimestampOfItsPublishing() {
        Instant before = Instant.now();
        Event old = Event.of("orders", "Placed")
                .occurredAt(Instant.parse("2001-02-03T04:05:06Z"))
                .build();

        Published.by(transport, List.of(old));

        long timestamp = broker.records(topic).get(0).timestamp();
        assertThat(Instant.ofEpochMilli(timestamp)).isBetween(before.minusSeconds(1), Instant.now());
    }

    @Test
    void theKeyOfAnEventIsTheKeyOfItsRecord() {
        Event keyed = Published.event("orders", "kü");
        Event bare = Event.of("orders", "Placed").build();

        Published.by(transport, List.of(keyed, bare));

        assertThat(broker.records(topic).stream().map(ConsumerRecord::key))
                .containsExactlyInAnyOrder("kü".getBytes(UTF_8), null);
    }

    @Test
    void topicsAreMadeWithTheConfiguredPartitions() {
        Published.by(
                config.topics(new KafkaConfig.Topics(5, 1, 1_000)).build(), List.of(Published.event("orders", "k")));

        broker.administrate(admin -> assertThat(admin.describeTopics(List.of(topic))
                        .allTopicNames()
                        .get()
                        .values())
                .singleElement()
                .satisfies(made -> assertThat(made.partitions()).hasSize(5)));
    }

    @Test
    void aProducerThatCanNotGoOnIsReplaced() {
        KafkaPublisher publisher = (KafkaPublisher) transport.publisher();
        Published.by(publisher, Published.event("orders", "a"));

        Objects.requireNonNull(publisher.sender().inUse()).close();
        Outcome broken = Published.by(publisher, Published.event("orders", "b"));

        assertThat(broken).isInstanceOf(Outcome.Unavailable.class);
        Await.until(
                "an event to go through again",
                () -> Published.by(publisher, Published.event("orders", "c")).equals(Outcome.accepted()));
    }

    @ParameterizedTest
    @EnumSource(names = {"VERIFY", "OFF"})
    void aTopicThatIsNotThereIsUnavailableAndNamedAndHoldsUpNoOther(Provision provision) {
        KafkaTransport careful =
                config.provision(provision).answerTime(Duration.ofSeconds(2)).build();
        broker.create(prefix + "-events-stock", 1, Map.of());
        Publisher publisher = careful.publisher();
        TrackedPublication lost = new TrackedPublication(Published.event("orders", "k"), 1);

        publisher.publish(List.of(lost));
        Outcome other = Published.by(publisher, Published.event("stock", "k"));

        assertThat(other).isEqualTo(Outcome.accepted());
        assertThat(lost.awaitOutcome())
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        outcome -> assertThat(outcome.reason()).contains(topic));
        broker.create(topic, 1, Map.of());
        Await.until(
                "the topic to be found",
                () -> Published.by(publisher, Published.event("orders", "k")).equals(Outcome.accepted()));
        careful.close();
    }

    @Test
    void aTopicThatIsRemovedIsMadeAgain() {
        Publisher publisher = transport.publisher();
        Published.by(publisher, Published.event("orders", "k"));
        broker.administrate(admin -> admin.deleteTopics(List.of(topic)).all().get());

        // What the old topic accepts at the last moment goes with it.
        Await.until(
                "the topic to be made again, with an event in it",
                () -> Published.by(publisher, Published.event("orders", "k")).equals(Outcome.accepted())
                        && !broker.records(topic).isEmpty());
    }

    @Test
    void whatTheBrokerFindsTooLargeIsRefusedAndTheNextGoesThrough() {
        broker.create(topic, 1, Map.of("max.message.bytes", "2000"));
        Event large = Event.of("orders", "Placed")
                .payload(new byte[5_000], "application/octet-stream")
                .build();

        List<Outcome> outcomes = Published.by(transport, List.of(large, Published.event("orders", "k")));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(1)).isEqualTo(Outcome.accepted());
    }

    @Test
    void theLargestPayloadGoesThroughWithManyHeaders() {
        int largest = (int) transport.capabilities().maxMessageBytes();
        Event event = Event.of("orders", "Placed")
                .headers(Map.of("large", "x".repeat(30_000)))
                .payload(new byte[largest], "application/octet-stream")
                .build();

        assertThat(Published.by(transport, List.of(event))).containsExactly(Outcome.accepted());
    }

    @Test
    void aLargerPayloadIsTakenWhereItIsConfigured() {
        int fourMegabytes = 4 << 20;
        KafkaTransport wide =
                config.topics(new KafkaConfig.Topics(1, 1, fourMegabytes)).build();
        Event large = Event.of("orders", "Placed")
                .payload(new byte[fourMegabytes], "application/octet-stream")
                .build();

        assertThat(Published.by(wide, List.of(large))).containsExactly(Outcome.accepted());
        assertThat(wide.capabilities().maxMessageBytes()).isEqualTo(fourMegabytes);
        wide.close();
    }

    @Test
    void anEventWithoutAPossibleTopicIsRefused() {
        KafkaTransport byTenant =
                config.names(config.names().events("{prefix}-{tenant}")).build();

        Outcome outcome =
                Published.by(byTenant, List.of(Published.event("orders", "k"))).get(0);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.reason()).contains("tenant"));
    }

    @Test
    void anotherNumberOfPartitionsIsWarnedOfAtTheStartAndWhenItGrows() {
        broker.create(topic, 1, Map.of());
        try (ErrorStream log = new ErrorStream();
                Publisher publisher = transport.publisher()) {
            Published.by(publisher, Published.event("orders", "k"));
            assertThat(log.text()).contains("Topic " + topic + " has 1 partitions, but 12 are configured");

            broker.administrate(admin -> admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(8)))
                    .all()
                    .get());

            Await.until("the warning", () -> {
                Published.by(publisher, Published.events(20, 20));
                return log.text().contains("had 1 partitions and has now");
            });
        }
    }

    @Test
    void whatIsUnsettledWhenAPublisherIsClosedIsSettledOnce() {
        Publisher publisher = transport.publisher();
        List<TrackedPublication> publications = TrackedPublication.firstOf(Published.events(500, 500));

        publisher.publish(publications);
        publisher.close();
        TrackedPublication late = new TrackedPublication(Published.event("orders", "k"), 1);
        publisher.publish(List.of(late));

        assertThat(publications).allSatisfy(one -> assertThat(one.settlements()).hasSize(1));
        assertThat(late.settlements()).singleElement().isInstanceOf(Outcome.Unavailable.class);
    }
}
