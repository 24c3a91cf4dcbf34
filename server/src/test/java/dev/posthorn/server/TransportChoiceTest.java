package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.transport.NameSettings;
import dev.posthorn.transport.Provisioning;
import dev.posthorn.transport.Transport;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class TransportChoiceTest {

    private final TransportChoice.Converter converter = new TransportChoice.Converter();

    @ParameterizedTest
    @CsvSource({
        "memory, memory",
        "amqp://user:password@127.0.0.1:1/shop, rabbitmq",
        "amqps://user:password@127.0.0.1:1, rabbitmq",
        "amqp://relay@rabbit/shop, rabbitmq",
        "amqp://rabbit, rabbitmq",
        "kafka://127.0.0.1:1, kafka",
        "redis://127.0.0.1:1, redis-streams",
        "rediss://user:password@127.0.0.1:1, redis-streams",
        "ipc:/tmp/posthorn-not-there, ipc",
        "ipc-peers:/tmp/posthorn-not-there, ipc",
        "pubsub://shop-prod, google-pubsub",
        "pubsub://shop-prod/pf-domain-events?emulator=127.0.0.1:1, google-pubsub",
        "sns-sqs://eu-central-1, sns-sqs",
        "sns-sqs://us-east-1?endpoint=http://127.0.0.1:1, sns-sqs",
        "arn:aws:sns:eu-central-1:123456789012:orders.fifo, sns-sqs",
        "postgresql://user:password@127.0.0.1:1/orders, postgres-log"
    })
    void anAddressIsATransportThatConnectsWhenItIsUsed(String address, String name) {
        try (Transport transport = converter
                .convert(address)
                .open(new TransportChoice.Settings(
                        "relay-1", "shop", Layout.STANDARD, NameSettings.STANDARD, Map.of(), Provisioning.STANDARD))) {
            assertThat(transport.name()).isEqualTo(name);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nats://user:hunter2@127.0.0.1",
                "amqp://user:hunter2@",
                "kafka://",
                "redis://user:hunter2@[",
                "pubsub://user:hunter2@shop-prod",
                "pubsub://shop-prod?emulator=hunter2",
                "sns-sqs://user:hunter2@",
                "sns-sqs://eu-central-1?endpoint=http://user:hunter2@127.0.0.1",
                "sns-sqs://eu-central-1?endpoint=http://user:hunter2@[",
                "arn:aws:sns:eu-central-1:123456789012:orders",
                "postgresql:user:hunter2@",
                "ipc:",
                "ipc-peers:",
                "file:",
                ""
            })
    void whatIsNoAddressIsRefusedWithoutItsPassword(String address) {
        assertThatThrownBy(() -> converter.convert(address))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @CsvSource({
        "nats://user:hunter2@127.0.0.1, nats://…@127.0.0.1",
        "amqp+tls://user:hunter2@rabbit/shop, amqp+tls://…@rabbit/shop"
    })
    void anUnknownSchemeIsNamedAlthoughTheRestIsMasked(String address, String named) {
        assertThatThrownBy(() -> converter.convert(address)).hasMessageContaining("\"" + named + "\"");
    }

    @Test
    void aFolderWhosePathIsTooLongForASocketIsRefused() {
        assertThatThrownBy(() -> converter.convert("ipc:/tmp/" + "x".repeat(100)))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("Unix domain socket");
    }

    @Test
    void aPrefixThatTheBrokerCanNotHaveIsRefusedBeforeAnythingIsPublished() {
        TransportChoice kafka = converter.convert("kafka://127.0.0.1:1");

        assertThatThrownBy(() -> kafka.open(new TransportChoice.Settings(
                        "relay-1",
                        "x".repeat(300),
                        Layout.STANDARD,
                        NameSettings.STANDARD,
                        Map.of(),
                        Provisioning.STANDARD)))
                .hasMessageContaining("Kafka");
    }
}
