package dev.posthorn.transports.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class KafkaConfigTest {

    private final KafkaConfig config = KafkaConfig.of("localhost:9092", "shop");

    @Test
    void allFaultsAreReportedAtOnce() {
        assertThatThrownBy(() -> new KafkaConfig(
                        " ",
                        config.names(),
                        config.provision(),
                        new KafkaConfig.Topics(0, 0, 0),
                        Duration.ZERO,
                        Duration.ZERO,
                        config.start(),
                        config.client()))
                .isInstanceOf(PosthornException.class)
                .hasMessageContainingAll(
                        "servers",
                        "partitions is 0",
                        "replication is 0",
                        "max-message-bytes is 0",
                        "answer-time",
                        "discovery");
    }

    @Test
    void aClientPropertyThatKafkaDoesNotTakeFailsAtTheStart() {
        assertThatThrownBy(() -> config.client("security.protocol", "NONSENSE").build())
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("security.protocol");
    }

    @Test
    void aNameThatKafkaDoesNotTakeFailsAtTheStart() {
        assertThatThrownBy(
                        () -> KafkaConfig.of("localhost:9092", "p".repeat(245)).build())
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("249");
        assertThatThrownBy(() ->
                        config.names(Names.withPrefix(".").events("{prefix}")).build())
                .isInstanceOf(PosthornException.class);
    }

    @Test
    void aSubscriberWithoutAPossibleGroupIsRefused() {
        KafkaTransport transport =
                KafkaConfig.of("localhost:9092", "p".repeat(200)).build();

        assertThatThrownBy(() -> transport.subscribe(Subscriber.named("s".repeat(90)), delivery -> {}))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("Kafka");
    }

    @Test
    void whatAGuaranteeHangsOnCanNotBeSwitchedOff() {
        KafkaConfig careless =
                config.client("acks", "1").client("enable.idempotence", "false").client("enable.auto.commit", "true");

        ClientProperties properties = new ClientProperties(careless);

        assertThat(properties.producer()).containsEntry("acks", "all").containsEntry("enable.idempotence", true);
        assertThat(properties.consumer(Subscriber.named("s"), "g")).containsEntry("enable.auto.commit", false);
    }

    @Test
    void secretsAreInNoTextAndNoFault() {
        String password = "hunter2-never-seen";
        KafkaConfig secret = config.client("ssl.keystore.password", password)
                .client("sasl.jaas.config", "some.Module required password=\"" + password + "\";");

        assertThat(secret.toString()).doesNotContain(password).contains("sasl.jaas.config");
        assertThat(new ClientProperties(secret).reasonOf(new IllegalStateException("wrong: " + password)))
                .doesNotContain(password)
                .contains("[hidden]");
    }
}
