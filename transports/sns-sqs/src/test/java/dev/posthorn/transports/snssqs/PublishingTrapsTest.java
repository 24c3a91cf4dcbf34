package dev.posthorn.transports.snssqs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Publisher;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.sns.model.PublishBatchRequest;
import software.amazon.awssdk.services.sns.model.PublishBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

@Tag("slow")
class PublishingTrapsTest extends SnsSqsTests {

    /** Watches and changes what goes to Amazon. */
    private static final class Calls implements ExecutionInterceptor {

        private final List<PublishBatchRequest> publishing = new CopyOnWriteArrayList<>();
        private final Set<String> damaged = new HashSet<>();

        @Override
        public software.amazon.awssdk.core.SdkRequest modifyRequest(
                Context.ModifyRequest context, ExecutionAttributes attributes) {
            if (!(context.request() instanceof PublishBatchRequest request)) {
                return context.request();
            }
            publishing.add(request);
            return request.toBuilder()
                    .publishBatchRequestEntries(request.publishBatchRequestEntries().stream()
                            .map(this::changed)
                            .toList())
                    .build();
        }

        private PublishBatchRequestEntry changed(PublishBatchRequestEntry entry) {
            return damaged.contains(entry.message())
                    ? entry.toBuilder().messageGroupId(null).build()
                    : entry;
        }
    }

    private SnsSqsConfig watched(Calls calls) {
        return config().access(broker.access()
                .client(broker.access().client().toBuilder()
                        .addExecutionInterceptor(calls)
                        .build()));
    }

    @Test
    void aCallThatSucceedsTellsOfEachEntryWhetherItDid() {
        Calls calls = new Calls();
        calls.damaged.add("bad");
        SnsSqsTransport transport = open(watched(calls));
        Inbound inbound = new Inbound();
        closing(transport.subscribe(BILLING, inbound));
        Event good = event("good");
        Event bad = event("bad");
        Event fine = event("fine");

        List<Outcome> outcomes = outcomes(transport, List.of(good, bad, fine));

        assertThat(outcomes.get(0)).isEqualTo(Outcome.accepted());
        assertThat(outcomes.get(1)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(2)).isEqualTo(Outcome.accepted());
        assertThat(calls.publishing)
                .singleElement()
                .satisfies(call -> assertThat(call.publishBatchRequestEntries()).hasSize(3));
        inbound.await(2);
        assertThat(inbound.events()).containsExactlyInAnyOrder(good, fine);
    }

    @Test
    void noCallHasTwoOfAKeyNorMoreThanTenNorMoreBytesThanSnsTakes() {
        Calls calls = new Calls();
        SnsSqsTransport transport = open(watched(calls));
        List<Event> events = IntStream.range(0, 60)
                .mapToObj(i -> Event.of("orders", "Placed")
                        .key("key-" + i % 20)
                        .payload("x".repeat(i % 3 == 0 ? 100_000 : 10).getBytes(UTF_8), "text/plain")
                        .build())
                .toList();

        assertThat(outcomes(transport, events)).allMatch(Outcome.Accepted.class::isInstance);

        assertThat(calls.publishing).hasSizeGreaterThanOrEqualTo(10).allSatisfy(call -> {
            List<PublishBatchRequestEntry> entries = call.publishBatchRequestEntries();
            assertThat(entries).hasSizeBetween(1, 10);
            assertThat(entries.stream().map(PublishBatchRequestEntry::messageGroupId))
                    .doesNotHaveDuplicates();
            assertThat(entries.stream().mapToInt(PublishingTrapsTest::bytes).sum())
                    .isLessThanOrEqualTo(256 << 10);
        });
        assertThat(calls.publishing)
                .anyMatch(call -> call.publishBatchRequestEntries().size() > 1);
    }

    private static int bytes(PublishBatchRequestEntry entry) {
        return entry.message().length()
                + entry.messageAttributes().entrySet().stream()
                        .mapToInt(one -> one.getKey().length()
                                + "String".length()
                                + one.getValue().stringValue().length())
                        .sum();
    }

    @Test
    void nothingOfAKeyGoesOnBehindAnEntryThatWasNotAccepted() {
        Calls calls = new Calls();
        calls.damaged.add("bad");
        SnsSqsTransport transport = open(watched(calls));
        Inbound inbound = new Inbound();
        closing(transport.subscribe(BILLING, inbound));
        Event before = of("k", "before");
        Event bad = of("k", "bad");
        Event behind = of("k", "behind");
        Event other = of("other", "other");

        List<Outcome> outcomes = outcomes(transport, List.of(before, bad, behind, other));

        assertThat(outcomes.get(0)).isEqualTo(Outcome.accepted());
        assertThat(outcomes.get(1)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(2)).isInstanceOf(Outcome.Failed.class);
        assertThat(outcomes.get(3)).isEqualTo(Outcome.accepted());
        inbound.await(2);
        assertThat(inbound.events()).containsExactlyInAnyOrder(before, other);
    }

    private static Event of(String key, String text) {
        return Event.of("orders", "Placed")
                .key(key)
                .payload(text.getBytes(UTF_8), "text/plain")
                .build();
    }

    @Test
    void twentyHeadersOfAnEventAllArriveAlthoughRawDeliveryDropsMoreThanTenAttributes() {
        Calls calls = new Calls();
        SnsSqsTransport transport = open(watched(calls));
        Inbound inbound = new Inbound();
        closing(transport.subscribe(BILLING, inbound));
        Map<String, String> twenty = IntStream.range(0, 20)
                .boxed()
                .collect(Collectors.toMap(i -> "header-" + i, i -> "value " + i, (a, b) -> a, TreeMap::new));
        Event event =
                Event.of("orders", "Placed").key("k").headers(twenty).json("{}").build();

        publish(transport, event);

        inbound.await(1);
        assertThat(inbound.events()).containsExactly(event);
        assertThat(calls.publishing.get(0).publishBatchRequestEntries().get(0).messageAttributes())
                .hasSizeLessThanOrEqualTo(10)
                .containsOnlyKeys("posthorn-domain", "posthorn-type", "posthorn-event");
    }

    @Test
    void anEventThatIsTooLargeWithItsHeadersIsRefusedWithItsSize() {
        SnsSqsTransport transport = transport();
        int payload = (256 << 10) - 100;

        List<Outcome> outcomes = outcomes(
                transport,
                List.of(Event.of("orders", "Placed")
                        .payload("x".repeat(payload).getBytes(UTF_8), "text/plain")
                        .build()));

        assertThat(outcomes.get(0))
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.reason())
                                .containsPattern("with its headers the message has 262[0-9]{3}")
                                .contains("262144"));
    }

    @Test
    void theMessageGroupIsTheKeyAndTheIdIsTheEvents() {
        SnsSqsTransport transport = transport();
        String queue = queueOf(config(), BILLING);
        String odd = "kunde \"1\"\\ü/😀\t";
        Event keyed = event("customer-7");
        Event alone = Event.of("orders", "Placed").json("{}").build();
        Event oddKeyed = event(odd);
        Event longKeyed = event("k".repeat(129));

        publish(transport, keyed, alone, oddKeyed, longKeyed);

        Map<String, String> groups = new TreeMap<>();
        Await.until(() -> "four messages, so far " + groups, () -> {
            for (Message message : TestSnsSqs.receive(sqs, queue, 0)) {
                groups.put(
                        message.attributes().get(MessageSystemAttributeName.MESSAGE_DEDUPLICATION_ID),
                        message.attributes().get(MessageSystemAttributeName.MESSAGE_GROUP_ID));
            }
            return groups.size() == 4;
        });
        assertThat(groups)
                .containsEntry(keyed.id().toString(), "customer-7")
                .containsEntry(alone.id().toString(), alone.id().toString())
                .containsEntry(oddKeyed.id().toString(), Parcel.groupOf(event(odd)))
                .containsEntry(longKeyed.id().toString(), Parcel.groupOf(event("k".repeat(129))));
        assertThat(List.of(
                        groups.get(oddKeyed.id().toString()),
                        groups.get(longKeyed.id().toString())))
                .doesNotHaveDuplicates()
                .allMatch(group -> group.matches("sha256-[0-9a-f]{64}"));
    }

    @Test
    void aMissingTopicIsUnavailableAndNamed() {
        SnsSqsTransport transport =
                open(config().access(broker.access().account(broker.server().account()))
                        .provision(Provision.OFF));

        List<Outcome> outcomes = outcomes(transport, List.of(event("k")));

        assertThat(outcomes.get(0))
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        unavailable -> assertThat(unavailable.reason()).contains(prefix + "-events.fifo"));
    }

    @Test
    void aTopicThatIsDeletedIsMadeAgainWhereItMayBe() {
        SnsSqsTransport transport = transport();
        Publisher publisher = closing(transport.publisher());
        publishUntilAccepted(publisher, event("k"));
        sns.listTopics().topics().stream()
                .filter(topic -> topic.topicArn().contains(prefix))
                .forEach(topic -> sns.deleteTopic(request -> request.topicArn(topic.topicArn())));

        int tries = publishUntilAccepted(publisher, event("k"));

        assertThat(tries).isGreaterThan(1);
    }

    private static int publishUntilAccepted(Publisher publisher, Event event) {
        List<TrackedPublication> tries = new ArrayList<>();
        Await.until("it to be accepted", () -> {
            TrackedPublication publication = new TrackedPublication(event, tries.size() + 1);
            tries.add(publication);
            publisher.publish(List.of(publication));
            assertThat(publication.awaitOutcome()).isInstanceOfAny(Outcome.Accepted.class, Outcome.Unavailable.class);
            return publication.awaitOutcome().equals(Outcome.accepted());
        });
        return tries.size();
    }

    @Test
    void nobodyThereIsUnavailableAndTheSecretStaysSecret() {
        SnsSqsTransport transport = open(config().access(broker.access().endpoint(URI.create("http://127.0.0.1:1")))
                .timing(TestSnsSqs.TIMING.answer(Duration.ofSeconds(2))));

        List<Outcome> outcomes = outcomes(transport, List.of(event("k")));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Unavailable.class);
        assertThat(outcomes + " " + config()).doesNotContain(TestSnsSqs.SECRET);
    }
}
