package dev.posthorn.transports.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RabbitMqConfigTest {

    private static final Endpoint NOWHERE = Endpoint.of("localhost:1", new Endpoint.Login("user", "s3cret"));
    private static final RabbitMqConfig DEFAULTS = RabbitMqConfig.of(NOWHERE, "shop");

    @Test
    void theDefaultsAreInOrderWithConfirmedRoutingAndSixteenMegabytes() {
        try (RabbitMqTransport transport = new RabbitMqTransport(DEFAULTS)) {
            assertThat(transport.name()).isEqualTo("rabbitmq");
            assertThat(transport.capabilities().ordered()).isTrue();
            assertThat(transport.capabilities().reportsUnroutable()).isTrue();
            assertThat(transport.capabilities().maxMessageBytes()).isEqualTo(16 << 20);
        }
    }

    @Test
    void competingQueuesAreNotOrderedAndSaySo() {
        RabbitMqConfig competing =
                DEFAULTS.queues(Queues.STANDARD.competing(true)).unroutable(Unroutable.ACCEPT);

        try (RabbitMqTransport transport = new RabbitMqTransport(competing)) {
            assertThat(transport.capabilities().ordered()).isFalse();
            assertThat(transport.capabilities().reportsUnroutable()).isFalse();
        }
    }

    @Test
    void allFaultsAreReportedAtOnce() {
        RabbitMqConfig wrong = DEFAULTS.endpoint(
                        NOWHERE.addresses(List.of("host:port")).virtualHost(""))
                .queues(Queues.STANDARD.shards(17).deliveryLimit(0))
                .limits(new RabbitMqConfig.Limits(0, 0))
                .timeouts(Timeouts.STANDARD.answer(Duration.ZERO).heartbeat(Duration.ofMillis(10)))
                .routing(Routing.STANDARD.slotted(false).bind("stock", "stock_*.*"))
                .names(DEFAULTS.names().events("amq.{prefix}").subscribers("s".repeat(300)));

        assertThatThrownBy(() -> new RabbitMqTransport(wrong))
                .isInstanceOf(PosthornException.class)
                .hasMessageContainingAll(
                        "host:port",
                        "virtual host",
                        "shards must be",
                        "delivery limit",
                        "prefetch",
                        "largest message",
                        "answer",
                        "heartbeat",
                        "stock_*",
                        "without slots",
                        "amq.shop",
                        "300 characters");
    }

    @Test
    void aPatternWithAWildcardInsideAWordIsRefusedWithTheReason() {
        RabbitMqConfig seed = DEFAULTS.routing(Routing.STANDARD.bind("inventory.reconcile", "stock_*.*"));

        assertThatThrownBy(() -> new RabbitMqTransport(seed))
                .hasMessageContaining("inventory.reconcile")
                .hasMessageContaining("a * stands for one whole word");
    }

    @Test
    void aSubscriberWhoseNamesAreImpossibleFailsAtOnce() {
        RabbitMqConfig byDomain = DEFAULTS.names(DEFAULTS.names().subscribers("{prefix}.{subscriber}.{domain}"));

        try (RabbitMqTransport transport = new RabbitMqTransport(byDomain)) {
            assertThatThrownBy(() -> transport.subscribe(Subscriber.named("all"), delivery -> {}))
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("must say which domains");
            assertThatThrownBy(() -> transport.subscribe(Subscriber.named("two").domains("a", "b"), delivery -> {}))
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("several names");
        }
    }

    @Test
    void anAddressIsReadWithoutShowingItsPassword() {
        Endpoint endpoint = Endpoint.parse("amqp://us%40er:p%2Fw+d@host:1234/my%2Fvhost");

        assertThat(endpoint.login().user()).isEqualTo("us@er");
        assertThat(endpoint.login().password()).isEqualTo("p/w+d");
        assertThat(endpoint.addresses()).containsExactly("host:1234");
        assertThat(endpoint.virtualHost()).isEqualTo("my/vhost");
        assertThat(Endpoint.parse("amqp://u:p@host").virtualHost()).isEqualTo("/");
        assertThat(Endpoint.parse("amqp://u:p@host").nodes().get(0).getPort()).isEqualTo(5672);
        assertThat(Endpoint.parse("amqps://u:p@host").nodes().get(0).getPort()).isEqualTo(5671);
        assertThat(Endpoint.parse("amqps://u:p@host").tls()).isPresent();
    }

    @Test
    void secretsAreInNoTextThatIsMade() {
        assertThat(List.of(NOWHERE.toString(), NOWHERE.login().toString(), DEFAULTS.toString()))
                .noneMatch(text -> text.contains("s3cret"));
        assertThatThrownBy(() -> Endpoint.parse("amqp://user:s3cret@host:not a port"))
                .message()
                .doesNotContain("s3cret");
        assertThatThrownBy(() -> Endpoint.parse("http://user:s3cret@host"))
                .message()
                .doesNotContain("s3cret");
        assertThatThrownBy(() -> new RabbitMqTransport(DEFAULTS.limits(new RabbitMqConfig.Limits(0, 0))))
                .message()
                .doesNotContain("s3cret");
    }

    @Test
    void closingWhatNeverConnectedIsQuick() {
        RabbitMqTransport transport = new RabbitMqTransport(DEFAULTS);
        var unused = transport.publisher();

        assertThatCode(transport::close).doesNotThrowAnyException();
    }
}
