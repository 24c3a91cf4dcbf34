package dev.posthorn.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What others see. */
class SealedFormTest {

    private final Event event = Event.of("transfers", "submitted.usdc")
            .id(UUID.fromString("0198c5a8-0000-7000-8000-000000000001"))
            .occurredAt(Instant.parse("2025-12-21T22:30:00Z"))
            .key("tr_1")
            .aggregate("transfer", "tr_1")
            .tenant("9a9a")
            .header("subsidiary-id", "5c4b")
            .json("{\"total\": \"125000.00\", \"rate\": 1.50}")
            .build();

    @Test
    void transfersAreTheEnvelopeOfTheirDesign() {
        assertThat(text(new TransfersEnvelope().seal(event)))
                .isEqualTo("{\"envelope\":{\"v\":1,\"eventId\":\"0198c5a8-0000-7000-8000-000000000001\","
                        + "\"occurredAt\":\"2025-12-21T22:30:00Z\",\"tenantId\":\"9a9a\","
                        + "\"type\":\"events.transfers.submitted.usdc\"},\"key\":{\"transferId\":\"tr_1\"},"
                        + "\"payload\":{\"total\": \"125000.00\", \"rate\": 1.50}}");
    }

    @Test
    void anAggregateIsTheEnvelopeOfItsDesign() {
        assertThat(text(new AggregateEnvelope("any").seal(event)))
                .isEqualTo("{\"event_id\":\"0198c5a8-0000-7000-8000-000000000001\","
                        + "\"occurred_at\":\"2025-12-21T22:30:00Z\",\"aggregate_type\":\"transfer\",\"aggregate_id\":\"tr_1\","
                        + "\"event_type\":\"submitted.usdc\",\"group_id\":\"9a9a\",\"subsidiary_id\":\"5c4b\",\"payload\":"
                        + "{\"total\": \"125000.00\", \"rate\": 1.50}}");
    }

    @Test
    void whatBelongsToNobodyIsNull() {
        Event alone = Event.of("holdco", "created").json("{}").build();

        assertThat(text(new AggregateEnvelope("any").seal(alone)))
                .contains("\"aggregate_id\":null,", "\"group_id\":null,\"payload\":{}}");
    }

    @Test
    void attributesAreThoseOfTheirDesign() {
        Event sealed = new AttributesEnvelope("any").seal(event);

        assertThat(text(sealed)).isEqualTo(text(event));
        assertThat(sealed.headers())
                .containsEntry("event_id", "0198c5a8-0000-7000-8000-000000000001")
                .containsEntry("event_type", "submitted.usdc")
                .containsEntry("aggregate_type", "transfer")
                .containsEntry("aggregate_id", "tr_1")
                .containsEntry("created_at", "2025-12-21T22:30:00Z");
    }

    @Test
    void aStructuredCloudEventIsOneForTheOfficialLibrary() {
        var cloud = new io.cloudevents.jackson.JsonFormat()
                .deserialize(new StructuredCloudEventsEnvelope().seal(event).payloadBytes());

        assertThat(cloud.getId()).isEqualTo("0198c5a8-0000-7000-8000-000000000001");
        assertThat(cloud.getSource()).hasToString("/transfers");
        assertThat(cloud.getType()).isEqualTo("submitted.usdc");
        assertThat(cloud.getSubject()).isEqualTo("tr_1");
        assertThat(cloud.getExtension("partitionkey")).isEqualTo("tr_1");
        assertThat(cloud.getData()).isNotNull();
    }

    @Test
    void aPayloadThatIsNoJsonFitsInNoJsonEnvelope() {
        for (String payload : new String[] {"", "no json", "{} {}", "\uFEFF{}"}) {
            Event odd = Event.of("holdco", "created").json(payload).build();
            assertThatThrownBy(() -> new AggregateEnvelope("any").seal(odd))
                    .as(payload)
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("no JSON");
        }
    }

    private static String text(Event event) {
        return new String(event.payloadBytes(), StandardCharsets.UTF_8);
    }
}
