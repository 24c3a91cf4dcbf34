package dev.posthorn.transports.snssqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.NameTemplate;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Provisioning;
import dev.posthorn.transport.Subscriber;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnsSqsConfigTest {

    private final SnsSqsConfig config = SnsSqsConfig.of(AwsAccess.in("eu-central-1"));

    @Test
    void allFaultsAreToldTogether() {
        assertThatThrownBy(() -> new SnsSqsConfig(
                        AwsAccess.in("eu-central-1").account("12").endpoint(URI.create("ftp://host")),
                        SnsSqsConfig.names("x".repeat(300)),
                        Provisioning.of(Provision.OFF),
                        true,
                        new SnsSqsConfig.Limits(0, 0, 0),
                        new SnsSqsConfig.Timing(Duration.ZERO, Duration.ofMillis(1500), Duration.ofSeconds(21))))
                .isInstanceOf(PosthornException.class)
                .hasMessageContainingAll(
                        "twelve digits",
                        "endpoint",
                        "can not be a name on SNS",
                        "can not be a name on SQS",
                        "limits.prefetch",
                        "limits.calls",
                        "limits.maxReceives",
                        "timing.answer",
                        "timing.visibility",
                        "timing.poll");
    }

    @Test
    void aTopicCanNotBeAddressedWithoutItsAccountUnlessItIsCreated() {
        assertThatThrownBy(() -> config.provision(Provision.VERIFY)).hasMessageContaining("access.account");
        assertThat(config.access(config.access().account("123456789012")).provision(Provision.VERIFY))
                .isNotNull();
    }

    @Test
    void dotsOfADocumentsNamesBecomeHyphens() {
        Names names = new Names(
                "events",
                NameTemplate.ofEvents("{prefix}.{domain}"),
                NameTemplate.ofSubscribers("{subscriber}"),
                NameTemplate.ofSubscribers("{subscriber}.dlq"));
        Subscriber gateway = Subscriber.named("gateway.usdc").domains("transfers");

        Layout layout = Layout.of(names, gateway);

        assertThat(layout.topics()).containsExactly("events-transfers.fifo");
        assertThat(layout.queue()).isEqualTo("gateway-usdc.fifo");
        assertThat(layout.deadLetters()).isEqualTo("gateway-usdc-dlq.fifo");
        assertThat(Layout.topicOf(names, Event.of("transfers", "submitted.usdc").build()))
                .isEqualTo("events-transfers.fifo");
    }

    @Test
    void aQueueHasEightyCharactersAtMostWithItsSuffix() {
        Subscriber billing = Subscriber.named("billing");

        assertThat(Layout.of(config.prefix("p".repeat(63)).names(), billing).deadLetters())
                .hasSize(80);
        assertThatThrownBy(() -> Layout.of(config.prefix("p".repeat(64)).names(), billing))
                .hasMessageContaining("can not be a name on SQS");
    }

    @Test
    void aTopicForEachDomainNeedsASubscriberThatNamesItsDomains() {
        Names names = SnsSqsConfig.names("shop").events("{prefix}-{domain}");

        assertThat(Layout.of(names, Subscriber.named("billing").domains("orders", "payments"))
                        .topics())
                .containsExactly("shop-orders.fifo", "shop-payments.fifo");
        assertThatThrownBy(() -> Layout.of(names, Subscriber.named("billing"))).hasMessageContaining("must say");
    }

    @Test
    void theVariablesOfADocumentAreEnough() {
        SnsSqsConfig given = SnsSqsConfig.ofTopic("arn:aws:sns:us-east-1:123456789012:events-transfers.fifo")
                .queue("https://sqs.us-east-1.amazonaws.com/123456789012/gateway-usdc.fifo");

        assertThat(given.access().region().id()).isEqualTo("us-east-1");
        assertThat(given.access().account()).contains("123456789012");
        assertThat(given.provision().mode()).isEqualTo(Provision.OFF);
        assertThat(Layout.topicOf(given.names(), Event.of("any", "type").build()))
                .isEqualTo("events-transfers.fifo");
        assertThat(Layout.of(given.names(), Subscriber.named("gateway")).queue())
                .isEqualTo("gateway-usdc.fifo");
        assertThat(Layout.of(given.names(), Subscriber.named("gateway")).deadLetters())
                .isEqualTo("gateway-usdc-dlq.fifo");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "events-transfers.fifo",
                "arn:aws:sqs:us-east-1:123456789012:events.fifo",
                "arn:aws:sns:us-east-1:123456789012:events",
                "arn:aws:sns:us-east-1:12:events.fifo"
            })
    void whatIsNoFifoTopicIsToldSo(String arn) {
        assertThatThrownBy(() -> SnsSqsConfig.ofTopic(arn)).hasMessageContaining("is no FIFO topic");
    }

    @Test
    void credentialsAreNotInTheText() {
        AwsAccess access = AwsAccess.in("eu-central-1").credentials("AKIAEXAMPLE", "hunter2");

        assertThat(SnsSqsConfig.of(access).toString())
                .contains("eu-central-1")
                .doesNotContain("hunter2", "AKIAEXAMPLE");
    }

    @Test
    void theDeadlineOfHandlersIsTheVisibility() {
        try (SnsSqsTransport transport =
                new SnsSqsTransport(config.timing(SnsSqsConfig.Timing.STANDARD.visibility(Duration.ofSeconds(60))))) {
            assertThat(transport.ackDeadline()).isEqualTo(Duration.ofSeconds(60));
        }
    }
}
