package dev.posthorn.transports.snssqs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.NameTemplate;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Subscriber;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** What the transport makes at Amazon, looked at with Amazon's own client. */
@Tag("slow")
class ProvisionTest extends SnsSqsTests {

    private String topic() {
        return sns.listTopicsPaginator().topics().stream()
                .map(topic -> topic.topicArn())
                .filter(arn -> arn.endsWith(":" + prefix + "-events.fifo"))
                .findFirst()
                .orElseThrow();
    }

    private Map<String, String> subscriptionAttributes() {
        String arn = sns.listSubscriptionsByTopic(request -> request.topicArn(topic()))
                .subscriptions()
                .get(0)
                .subscriptionArn();
        return sns.getSubscriptionAttributes(request -> request.subscriptionArn(arn))
                .attributes();
    }

    private Map<QueueAttributeName, String> attributes(String queueUrl) {
        return sqs.getQueueAttributes(request -> request.queueUrl(queueUrl).attributeNames(QueueAttributeName.ALL))
                .attributes();
    }

    private static JsonNode json(String text) throws Exception {
        return new ObjectMapper().readTree(text);
    }

    @Test
    void onlyTheTopicMayPutMessagesIntoTheQueue() throws Exception {
        Map<QueueAttributeName, String> queue = attributes(queueOf(config(), BILLING));

        JsonNode statements =
                json(queue.getOrDefault(QueueAttributeName.POLICY, "{}")).path("Statement");
        assertThat(statements).hasSize(1);
        JsonNode only = statements.get(0);
        assertThat(only.path("Principal").path("Service").asText()).isEqualTo("sns.amazonaws.com");
        assertThat(only.path("Action"))
                .singleElement()
                .satisfies(one -> assertThat(one.asText()).isEqualTo("sqs:SendMessage"));
        assertThat(only.path("Resource").asText()).isEqualTo(queue.get(QueueAttributeName.QUEUE_ARN));
        assertThat(only.path("Condition").path("ArnEquals").path("aws:SourceArn"))
                .singleElement()
                .satisfies(one -> assertThat(one.asText()).isEqualTo(topic()));
    }

    @Test
    void theQueueIsFifoAndRedrivesToItsDeadLetters() throws Exception {
        Map<QueueAttributeName, String> queue = attributes(queueOf(config(), BILLING));

        assertThat(queue)
                .containsEntry(QueueAttributeName.FIFO_QUEUE, "true")
                .containsEntry(QueueAttributeName.CONTENT_BASED_DEDUPLICATION, "false")
                .containsEntry(QueueAttributeName.MESSAGE_RETENTION_PERIOD, "1209600");
        JsonNode redrive = json(queue.getOrDefault(QueueAttributeName.REDRIVE_POLICY, "{}"));
        assertThat(redrive.path("deadLetterTargetArn").asText()).endsWith(":" + prefix + "-billing-dlq.fifo");
        assertThat(redrive.path("maxReceiveCount").asInt()).isEqualTo(1_000);
    }

    @Test
    void theFilterIsByDomainAndType() throws Exception {
        queueOf(
                config(),
                Subscriber.named("billing").domains("orders", "payments").types("Placed"));

        assertThat(json(subscriptionAttributes().getOrDefault("FilterPolicy", "{}")))
                .isEqualTo(json("{\"posthorn-domain\":[\"orders\",\"payments\"],\"posthorn-type\":[\"Placed\"]}"));
        assertThat(subscriptionAttributes())
                .containsEntry("RawMessageDelivery", "true")
                .containsEntry("FilterPolicyScope", "MessageAttributes");
    }

    @Test
    void aSubscriberThatWantsSomethingElseNowGetsAnotherFilterAndKeepsItsQueue() throws Exception {
        String before = queueOf(config(), BILLING);

        String after = queueOf(config().rawDelivery(false), BILLING.domains("payments"));

        assertThat(after).isEqualTo(before);
        assertThat(json(subscriptionAttributes().getOrDefault("FilterPolicy", "{}")))
                .isEqualTo(json("{\"posthorn-domain\":[\"payments\"]}"));
        assertThat(subscriptionAttributes()).containsEntry("RawMessageDelivery", "false");
    }

    @Test
    void aFilterThatIsTooLargeForSnsLeavesOutTypesAndTheMemberDropsWhatItDoesNotWant() {
        String[] types = IntStream.range(0, 151).mapToObj(i -> "type-" + i).toArray(String[]::new);
        Subscriber picky = BILLING.types(types);
        SnsSqsTransport transport = transport();
        Inbound inbound = new Inbound();
        closing(transport.subscribe(picky, inbound));
        Event wanted = Event.of("orders", "type-7").key("k").build();

        publish(transport, Event.of("orders", "other").key("k").build(), wanted);

        inbound.await(1);
        assertThat(inbound.events()).containsExactly(wanted);
        assertThat(TopicSubscriptions.filterOf(picky)).isEqualTo("{\"posthorn-domain\":[\"orders\"]}");
    }

    @Test
    void aPolicyThatSomebodyElseHasWrittenStays() {
        String queue = queueOf(config(), BILLING);
        String theirs = "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Sid\":\"theirs\",\"Effect\":\"Deny\"}]}";
        var unused = sqs.setQueueAttributes(
                request -> request.queueUrl(queue).attributes(Map.of(QueueAttributeName.POLICY, theirs)));

        queueOf(config(), BILLING);

        assertThat(attributes(queue)).containsEntry(QueueAttributeName.POLICY, theirs);
    }

    /** The document's CTS publishes transfers; gateway, ledger and projections each have a queue. */
    @Test
    void theNamesOfAGrownDesignCarryItsEvents() {
        Names names = new Names(
                prefix,
                NameTemplate.ofEvents("{prefix}.events.{domain}"),
                NameTemplate.ofSubscribers("{prefix}.{subscriber}"),
                NameTemplate.ofSubscribers("{prefix}.{subscriber}.dlq"));
        SnsSqsTransport transport = open(config().names(names));
        List<String> subscribers = List.of("gateway.usdc", "ledger.postings", "projections.timeline");
        List<Inbound> inbounds = subscribers.stream().map(any -> new Inbound()).toList();
        for (int i = 0; i < 3; i++) {
            closing(transport.subscribe(Subscriber.named(subscribers.get(i)).domains("transfers"), inbounds.get(i)));
        }
        Event submitted = Event.of("transfers", "events.transfers.submitted.usdc")
                .key("tr_123")
                .json("{\"envelope\":{\"v\":1}}")
                .build();

        publish(transport, submitted);

        inbounds.forEach(inbound -> inbound.await(1));
        assertThat(inbounds).allSatisfy(inbound -> assertThat(inbound.events()).containsExactly(submitted));
        assertThat(broker.url(prefix + "-gateway-usdc.fifo")).isNotEmpty();
    }
}
