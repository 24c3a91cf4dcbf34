package dev.posthorn.examples.holdco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.PosthornException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EnvelopeCodecTest {

    private static final UUID ID = UUID.fromString("0198c5a8-0000-7000-8000-000000000001");

    private final EnvelopeCodec codec = new EnvelopeCodec();

    @Test
    void anEnvelopeIsTheOneOfTheDesign() {
        Envelope envelope =
                envelope("5c4b", "{\"order_no\": \"ORD-0001\", \"total_amount\": \"125000.00\", \"rate\": 1.50}");

        assertThat(new String(codec.encode(envelope), StandardCharsets.UTF_8))
                .isEqualTo("{\"event_id\":\"0198c5a8-0000-7000-8000-000000000001\","
                        + "\"occurred_at\":\"2025-12-21T22:30:00Z\",\"aggregate_type\":\"order\",\"aggregate_id\":\"77\","
                        + "\"event_type\":\"created\",\"group_id\":\"9a9a\",\"subsidiary_id\":\"5c4b\",\"payload\":"
                        + "{\"order_no\": \"ORD-0001\", \"total_amount\": \"125000.00\", \"rate\": 1.50}}");
    }

    @Test
    void whatBelongsToTheWholeGroupHasNoSubsidiary() {
        byte[] json = codec.encode(envelope(null, "{}"));

        assertThat(new String(json, StandardCharsets.UTF_8)).contains("\"subsidiary_id\":null,");
        assertThat(codec.decode(json, Envelope.class)).isEqualTo(envelope(null, "{}"));
    }

    @Test
    void aPayloadThatIsNoJsonFitsInNoEnvelope() {
        for (String payload : new String[] {"", "no json", "{} {}"}) {
            assertThatThrownBy(() -> codec.encode(envelope(null, payload)))
                    .as(payload)
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("no JSON");
        }
    }

    @Test
    void whatIsNoEnvelopeSaysWhatItLacks() {
        assertThatThrownBy(() -> codec.decode("{\"event_id\":1}".getBytes(StandardCharsets.UTF_8), Envelope.class))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("it has no event_id");
        assertThatThrownBy(() -> codec.decode(new byte[0], Envelope.class)).isInstanceOf(PosthornException.class);
    }

    private static Envelope envelope(@Nullable String subsidiary, String payload) {
        return new Envelope(
                ID,
                Instant.parse("2025-12-21T22:30:00Z"),
                new Envelope.Subject("order", "77"),
                "created",
                new Envelope.Scope("9a9a", subsidiary),
                payload);
    }
}
