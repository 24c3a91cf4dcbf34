package dev.posthorn.examples.licenses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transports.googlepubsub.Endpoint;
import dev.posthorn.transports.googlepubsub.GooglePubSubConfig;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VariablesTest {

    @Test
    void withoutAnyTheyAreTheDesigns() {
        Variables variables = Variables.of(Map.of());

        assertThat(variables)
                .isEqualTo(new Variables(
                        50,
                        Duration.ofMillis(500),
                        25,
                        "pf-domain-events",
                        "pf-domain-events-compliance",
                        Duration.ofDays(30)));
    }

    @Test
    void eachOfTheSixIsRespected() {
        Variables variables = Variables.of(Map.of(
                "PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE", "7",
                "PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS", "250",
                "PACKFINDERZ_OUTBOX_MAX_ATTEMPTS", "3",
                "PACKFINDERZ_PUBSUB_DOMAIN_TOPIC", "pf-staging",
                "PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION", "pf-staging-worker",
                "PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL", "1h30m"));

        assertThat(variables.relay().page()).isEqualTo(7);
        assertThat(variables.relay().idlePoll()).isEqualTo(Duration.ofMillis(250));
        assertThat(variables.retries().maxAttempts()).isEqualTo(3);
        assertThat(variables.retries().pauseAfter(1, new Random(1))).contains(Duration.ofMillis(250));
        GooglePubSubConfig topology = variables.topology(Endpoint.emulator("packfinderz", "127.0.0.1:1"));
        assertThat(topology.names().events()).hasToString("pf-staging");
        assertThat(topology.names().subscribers()).hasToString("{subscriber}");
        assertThat(variables.subscription()).isEqualTo("pf-staging-worker");
        assertThat(variables.marks("redis://127.0.0.1:1").known()).isEqualTo(Duration.ofMinutes(90));
        assertThat(variables.marks("redis://127.0.0.1:1").prefix()).isEqualTo("pf");
    }

    @Test
    void allThatIsWrongIsSaidAtOnce() {
        Map<String, String> wrong = Map.of(
                "PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE", "many",
                "PACKFINDERZ_OUTBOX_MAX_ATTEMPTS", "0",
                "PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL", "30 days");

        assertThatThrownBy(() -> Variables.of(wrong))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining(
                        "PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE is many, but must be a whole number from 1")
                .hasMessageContaining("PACKFINDERZ_OUTBOX_MAX_ATTEMPTS is 0")
                .hasMessageContaining(
                        "PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL is 30 days, but must be a time such as 720h");
    }
}
