package dev.posthorn.transports.snssqs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** The emulator checks no rights, so the calls themselves are compared with what a policy allows. */
@Tag("slow")
class IamPoliciesTest extends SnsSqsTests {

    private static final SnsSqsConfig DOCUMENTED = SnsSqsConfig.of(
                    AwsAccess.in("eu-central-1").account("123456789012"))
            .prefix("shop");

    /** A batch needs the right of the single call. */
    private static String right(String operation) {
        String single = operation.replace("Batch", "");
        return (single.equals("Publish") ? "sns:" : "sqs:") + single;
    }

    /** What is allowed, by the last part of what it is allowed on. */
    private static Map<String, Set<String>> allowed(String policy) throws Exception {
        Map<String, Set<String>> allowed = new HashMap<>();
        for (JsonNode statement : new ObjectMapper().readTree(policy).path("Statement")) {
            assertThat(statement.path("Effect").asText()).isEqualTo("Allow");
            String resource = statement.path("Resource").asText();
            statement
                    .path("Action")
                    .forEach(action -> allowed.computeIfAbsent(
                                    resource.substring(resource.lastIndexOf(':') + 1), any -> new TreeSet<>())
                            .add(action.asText()));
        }
        return allowed;
    }

    @Test
    void aProducerPublishesToItsTopicAndNothingElse() throws Exception {
        assertThat(allowed(IamPolicies.producer(DOCUMENTED)))
                .isEqualTo(Map.of("shop-events.fifo", Set.of("sns:Publish")));
        assertThat(IamPolicies.producer(DOCUMENTED)).contains("arn:aws:sns:eu-central-1:123456789012:shop-events.fifo");
        assertThat(allowed(
                        IamPolicies.producer(DOCUMENTED.names(DOCUMENTED.names().events("{prefix}.{domain}")))))
                .isEqualTo(Map.of("shop-*.fifo", Set.of("sns:Publish")));
    }

    @Test
    void aConsumerReadsItsOwnQueueAndAddsToItsOwnDeadLetters() throws Exception {
        assertThat(allowed(IamPolicies.consumer(DOCUMENTED, BILLING)))
                .isEqualTo(Map.of(
                        "shop-billing.fifo",
                        Set.of(
                                "sqs:GetQueueUrl",
                                "sqs:ReceiveMessage",
                                "sqs:ChangeMessageVisibility",
                                "sqs:DeleteMessage"),
                        "shop-billing-dlq.fifo",
                        Set.of("sqs:GetQueueUrl", "sqs:SendMessage")));
    }

    @Test
    void theReadmeShowsBothPolicies() throws Exception {
        assertThat(Files.readString(Path.of("README.md")))
                .contains(IamPolicies.producer(DOCUMENTED))
                .contains(IamPolicies.consumer(DOCUMENTED, Subscriber.named("billing")));
    }

    @Test
    void theTransportCallsNothingThatThePoliciesDoNotAllowAndAllThatTheyDo() throws Exception {
        queueOf(config(), BILLING);
        Set<String> producing = ConcurrentHashMap.newKeySet();
        Set<String> consuming = ConcurrentHashMap.newKeySet();
        SnsSqsTransport producer = open(watched(producing));
        SnsSqsTransport consumer = open(watched(consuming));
        Inbound inbound = new Inbound(delivery -> {
            if (delivery.event().key().orElseThrow().equals("bad")) {
                return Verdict.reject("not for us");
            }
            Await.until("a heartbeat", () -> consuming.contains("sqs:ChangeMessageVisibility"));
            return Verdict.done();
        });
        closing(consumer.subscribe(BILLING, inbound));
        Event good = event("good");
        publish(producer, event("bad"), good);
        inbound.await(2);
        Await.until(() -> "every right to be used, so far " + consuming, () -> consuming.size() == 5);
        producer.close();
        consumer.close();

        Set<String> allowed = new TreeSet<>();
        allowed(IamPolicies.consumer(watched(consuming), BILLING)).values().forEach(allowed::addAll);
        assertThat(producing).containsExactly("sns:Publish");
        assertThat(new TreeSet<>(consuming)).isEqualTo(allowed);
    }

    private SnsSqsConfig watched(Set<String> rights) {
        ExecutionInterceptor watch = new ExecutionInterceptor() {
            @Override
            public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
                rights.add(right(context.request().getClass().getSimpleName().replace("Request", "")));
            }
        };
        AwsAccess access = broker.access().account(broker.server().account());
        return config().access(access.client(access.client().toBuilder()
                        .addExecutionInterceptor(watch)
                        .build()))
                .provision(Provision.OFF);
    }
}
