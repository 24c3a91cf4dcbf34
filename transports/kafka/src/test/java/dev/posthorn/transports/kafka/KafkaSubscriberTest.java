package dev.posthorn.transports.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class KafkaSubscriberTest {

    private static final Subscriber BILLING = Subscriber.named("billing").domains("orders");

    private final KafkaBroker broker = KafkaBroker.shared();
    private final String prefix = Published.newPrefix();
    private final String topic = prefix + "-events-orders";
    private final KafkaConfig config = broker.config(prefix);
    private final List<KafkaTransport> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(KafkaTransport::close);
    }

    private KafkaTransport transport(KafkaConfig config) {
        KafkaTransport transport = config.build();
        open.add(transport);
        return transport;
    }

    /** Of the group in the first partition. */
    private Optional<OffsetAndMetadata> committed() {
        return Optional.ofNullable(broker.committed(prefix + "-billing").get(new TopicPartition(topic, 0)));
    }

    private void awaitCommit(long offset) {
        Await.until(
                () -> "the commit of " + offset + ", so far " + committed(),
                () -> committed().map(OffsetAndMetadata::offset).equals(Optional.of(offset)));
    }

    @Test
    void aFailedRecordIsNotAcknowledgedByALaterOne() {
        broker.create(topic, 1, Map.of());
        KafkaTransport transport = transport(config);
        List<Event> events = Published.events(5, 5);
        Inbound first = new Inbound(delivery ->
                delivery.event().equals(events.get(1)) ? Verdict.retry(Duration.ofMinutes(1)) : Verdict.done());
        Subscription leaving = transport.subscribe(BILLING, first);
        Published.by(transport, events);

        Await.until(
                () -> "four to be done: " + leaving.status(),
                () -> leaving.status().totals().done() == 4);
        awaitCommit(1);
        leaving.close();

        assertThat(committed().orElseThrow())
                .as("the first that is not done, with the leader epoch of the one before it and of the last")
                .isEqualTo(new OffsetAndMetadata(1, Optional.of(0), "posthorn 2 0 0 4"));
        Inbound second = new Inbound();
        transport.subscribe(BILLING, second);
        second.await(1); // of another key, which would have no order with the last
        Event last = Published.event("orders", "last");
        Published.by(transport, List.of(last));
        second.await(2);
        assertThat(second.events()).containsExactly(events.get(1), last);
        awaitCommit(6);
    }

    @Test
    void aHandlerSlowerThanThePollIntervalKeepsItsPlace() {
        KafkaTransport transport = transport(config.client("max.poll.interval.ms", "1000"));
        Inbound slow = new Inbound(delivery -> {
            pause(3_000);
            return Verdict.done();
        });
        Subscription subscription = transport.subscribe(BILLING.prefetch(1), slow);

        List<Event> events = Published.events(2, 1);
        Published.by(transport, events);

        Await.until(
                () -> "both to be done: " + subscription.status(),
                () -> subscription.status().totals().done() == 2);
        assertThat(slow.events()).isEqualTo(events);
        assertThat(subscription.status().trouble()).isEmpty();
    }

    @Test
    void aKeyThatStandsStillDoesNotStarveOtherPartitions() {
        KafkaTransport transport = transport(config);
        Inbound inbound =
                new Inbound(delivery -> delivery.event().key().orElseThrow().equals("stuck")
                        ? Verdict.retry(Duration.ofMinutes(1))
                        : Verdict.done());
        transport.subscribe(BILLING.prefetch(10), inbound);
        List<Event> stuck = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            stuck.add(Published.event("orders", "stuck"));
        }

        Published.by(transport, stuck);
        inbound.await(1);
        // Some of these keys share its partition and have to wait.
        Published.by(transport, Published.events(60, 60));

        Await.until(() -> inbound.count() + " arrived", () -> inbound.count() > 40);
    }

    @Test
    void aSubscriberToAllFindsATopicOfSomebodyElse() {
        KafkaTransport transport = transport(config);
        Inbound all = new Inbound();
        transport.subscribe(Subscriber.named("all"), all);
        Published.by(transport, List.of(Published.event("orders", "k")));
        all.await(1);

        Published.by(transport(config), List.of(Published.event("later", "k")));

        all.await(2);
        assertThat(all.events().get(1).domain()).isEqualTo("later");
    }

    @Test
    void fromLatestOnWhatWasThereIsPassedOverAndWhatComesIsNot() {
        KafkaTransport transport = transport(config.start(KafkaConfig.Start.LATEST));
        Event before = Published.event("orders", "before");
        Event after = Published.event("orders", "after");
        Event elsewhere = Published.event("later", "elsewhere");
        Published.by(transport, List.of(before));
        Inbound inbound = new Inbound();

        Subscription first = transport.subscribe(Subscriber.named("all"), inbound);
        Published.by(transport, List.of(after, elsewhere));
        inbound.await(2);
        first.close();
        Event away = Published.event("orders", "away");
        Published.by(transport, List.of(away));
        Inbound back = new Inbound();
        transport.subscribe(Subscriber.named("all"), back);
        back.await(1);

        assertThat(inbound.events()).containsExactlyInAnyOrder(after, elsewhere);
        assertThat(back.events()).containsExactly(away);
    }

    @Test
    void aDeadLetterIsTheRecordAsItCameWithTheReason() {
        KafkaTransport transport = transport(config);
        Event bad = Event.of("orders", "Placed")
                .key("k")
                .headers(Map.of("own", "kept"))
                .payload(new byte[] {0, -1}, "application/octet-stream")
                .build();
        transport.subscribe(BILLING, new Inbound(delivery -> Verdict.reject("not for us")));

        Published.by(transport, List.of(bad));

        Await.until(
                "the dead letter", () -> !broker.records(prefix + "-dlq-orders").isEmpty());
        ConsumerRecord<byte[], byte[]> dead =
                broker.records(prefix + "-dlq-orders").get(0);
        ConsumerRecord<byte[], byte[]> original = broker.records(topic).get(0);
        assertThat(dead.value()).isEqualTo(original.value());
        assertThat(dead.key()).isEqualTo(original.key());
        assertThat(Records.headers(dead)).containsAllEntriesOf(Records.headers(original));
        assertThat(Records.headers(dead))
                .containsEntry(DeadLetters.REASON, "not for us")
                .containsEntry(DeadLetters.SUBSCRIBER, prefix + "-billing")
                .containsEntry(DeadLetters.TOPIC, topic)
                .containsEntry(DeadLetters.OFFSET, "0");
    }

    @Test
    void whatIsRejectedIsNotAcknowledgedBeforeItsDeadLetterIsThere() {
        broker.create(topic, 1, Map.of());
        KafkaTransport transport = transport(config.provision(Provision.VERIFY));
        Subscription subscription = transport.subscribe(
                BILLING,
                new Inbound(delivery -> delivery.event().key().orElseThrow().equals("bad")
                        ? Verdict.reject("not for us")
                        : Verdict.done()));

        Published.by(transport, List.of(Published.event("orders", "bad"), Published.event("orders", "good")));
        Await.until(
                () -> "the missing topic to be named: " + subscription.status(),
                () -> subscription.status().trouble().orElse("").contains(prefix + "-dlq-orders"));
        awaitCommit(0);
        broker.create(prefix + "-dlq-orders", 1, Map.of());

        awaitCommit(2);
        assertThat(broker.records(prefix + "-dlq-orders")).hasSize(1);
    }

    @Test
    void aMissingTopicIsNamedAndTheOthersAreReceived() {
        broker.create(topic, 1, Map.of());
        KafkaTransport transport = transport(config.provision(Provision.VERIFY));
        Inbound inbound = new Inbound();
        Subscription subscription = transport.subscribe(Subscriber.named("two").domains("orders", "stock"), inbound);

        Published.by(transport, List.of(Published.event("orders", "k")));
        inbound.await(1);
        Await.until(
                () -> "the missing topic to be named: " + subscription.status(),
                () -> subscription.status().trouble().orElse("").contains(prefix + "-events-stock"));
        broker.create(prefix + "-events-stock", 1, Map.of());

        Await.until(
                () -> "the trouble to end: " + subscription.status(),
                () -> subscription.status().trouble().isEmpty());
        Published.by(transport, List.of(Published.event("stock", "k")));
        inbound.await(2);
    }

    @Test
    void theNewGroupProtocolWorksToo() {
        KafkaConfig modern = KafkaConfig.of(broker.address(), prefix)
                .discovery(Duration.ofMillis(500))
                .client("group.protocol", "consumer");
        KafkaTransport transport = transport(modern);
        Inbound inbound = new Inbound();
        Subscription first = transport.subscribe(BILLING, inbound);
        List<Event> events = Published.events(200, 10);
        Published.by(transport, events);
        inbound.await(200);
        first.close();

        Inbound second = new Inbound();
        transport.subscribe(BILLING, second);
        Event last = Published.event("orders", "last");
        Published.by(transport, List.of(last));
        second.await(1);

        assertThat(inbound.byKey()).isEqualTo(Inbound.byKey(events));
        assertThat(second.events()).containsExactly(last);
    }

    @Test
    void aDeliverySaysWhereItCameFrom() {
        broker.create(topic, 1, Map.of());
        KafkaTransport transport = transport(config);
        List<Map<String, String>> metadata = new CopyOnWriteArrayList<>();
        transport.subscribe(BILLING, delivery -> {
            metadata.add(delivery.metadata());
            delivery.settle(Verdict.done());
        });

        Published.by(transport, List.of(Published.event("orders", "k")));

        Await.until("the delivery", () -> metadata.size() == 1);
        assertThat(metadata.get(0))
                .containsEntry("topic", topic)
                .containsEntry("partition", "0")
                .containsEntry("offset", "0")
                .containsKey("timestamp");
    }

    @Test
    void aRecordWithoutAValueIsUndecodableAndADeadLetter() {
        KafkaTransport transport = transport(config);
        Inbound inbound = new Inbound();
        transport.subscribe(BILLING, inbound);
        Published.by(transport, List.of(Published.event("orders", "k")));

        broker.put(topic, null);

        Await.until(
                "the dead letter", () -> broker.records(prefix + "-dlq-orders").size() == 1);
        ConsumerRecord<byte[], byte[]> dead =
                broker.records(prefix + "-dlq-orders").get(0);
        assertThat(dead.value()).isNull();
        assertThat(new String(dead.headers().lastHeader(DeadLetters.REASON).value(), UTF_8))
                .contains("posthorn-id");
    }

    private static void pause(long millis) {
        try {
            var unused = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException("stopped while handling", stopped);
        }
    }
}
