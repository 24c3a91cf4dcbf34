package dev.posthorn.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Messages of producers that do not know Posthorn. */
class ForeignMessageTest {

    private static final String ID = "0198c5a8-0000-7000-8000-000000000001";
    private static final String TRANSFER = """
            {
              "envelope": {
                "v": 1,
                "eventId": "0198c5a8-0000-7000-8000-000000000001",
                "occurredAt": "2025-08-26T10:15:01Z",
                "tenantId": "tnt_123",
                "traceparent": "00-...",
                "type": "events.transfers.submitted.usdc"
              },
              "key": { "transferId": "tr_123" },
              "payload": {
                "amount": {"value":"100.00","currency":"USD"}, "rate": 1.50
              }
            }""";
    private static final String AGGREGATE = """
            {"event_id": "0198c5a8-0000-7000-8000-000000000001", "occurred_at": "2025-12-21T22:30:00Z",
             "aggregate_type": "order", "aggregate_id": "77", "event_type": "created", "group_id": "9a9a",
             "subsidiary_id": null, "region": {"code": "NG"}, "payload": {"order_no": "ORD-0001"}}""";

    private final Envelope transfers = new TransfersEnvelope();
    private final Envelope aggregate = new AggregateEnvelope("holdco");

    @Test
    void theTransferOfTheDesignIsAnEvent() {
        Event event = read(transfers, TRANSFER);

        assertThat(event.id()).isEqualTo(UUID.fromString(ID));
        assertThat(event.domain()).isEqualTo("transfers");
        assertThat(event.type()).isEqualTo("submitted.usdc");
        assertThat(event.key()).contains("tr_123");
        assertThat(event.aggregateType()).contains("transfer");
        assertThat(event.aggregateId()).contains("tr_123");
        assertThat(event.tenant()).contains("tnt_123");
        assertThat(event.occurredAt()).isEqualTo(Instant.parse("2025-08-26T10:15:01Z"));
        assertThat(event.traceparent()).isEmpty();
        assertThat(text(event)).isEqualTo("""
                {
                    "amount": {"value":"100.00","currency":"USD"}, "rate": 1.50
                  }""");
    }

    @Test
    void whatAnEnvelopeDoesNotKnowIsKeptAndPutBack() {
        Event transfer = read(
                transfers,
                TRANSFER.replace("\"v\": 1,", "\"v\": 1, \"x/y~\": [1.50],")
                        .replace("\"key\"", "\"more\": {}, \"key\""));

        assertThat(transfer.headers())
                .containsEntry("/envelope/x~1y~0", "[1.50]")
                .containsEntry("/more", "{}")
                .containsEntry("/envelope/traceparent", "\"00-...\"");
        assertThat(text(transfers.seal(transfer)))
                .contains("\"x/y~\":[1.50]", "\"more\":{}", "\"traceparent\":\"00-...\"");

        Event order = read(aggregate, AGGREGATE);
        assertThat(order.headers()).containsExactly(Map.entry("/region", "{\"code\": \"NG\"}"));
        assertThat(text(aggregate.seal(order))).contains("\"region\":{\"code\": \"NG\"}");
    }

    @Test
    void theAggregateOfTheDesignIsAnEvent() {
        Event event = read(aggregate, AGGREGATE);

        assertThat(event.domain()).isEqualTo("holdco");
        assertThat(event.type()).isEqualTo("created");
        assertThat(event.key()).contains("77");
        assertThat(event.tenant()).contains("9a9a");
        assertThat(text(event)).isEqualTo("{\"order_no\": \"ORD-0001\"}");
    }

    @Test
    void anEventThatItsProducerHasSealedTravelsAsItIs() {
        Event emitted = Event.of("transfers", "submitted.usdc")
                .id(UUID.fromString(ID))
                .json(TRANSFER)
                .build();

        assertThat(transfers.seal(emitted)).isEqualTo(emitted);
        assertThat(transfers.holds(emitted)).isTrue();
        assertThat(text(transfers.open(emitted))).startsWith("{\n    \"amount\"");
    }

    @Test
    void attributesOfTheDesignAreAnEvent() {
        Map<String, String> attributes = Map.of(
                "event_id", ID,
                "event_type", "license_status_changed",
                "aggregate_type", "license",
                "aggregate_id", "l1",
                "created_at", "2026-01-02T03:04:05.123456789+01:00",
                "shard", "7");

        Event event =
                new AttributesEnvelope("packfinderz").read(new Message(attributes, bytes("{\"status\":\"pending\"}")));

        assertThat(event.occurredAt()).isEqualTo(Instant.parse("2026-01-02T02:04:05.123456Z"));
        assertThat(event.headers()).containsExactly(Map.entry("shard", "7"));
        assertThat(text(event)).isEqualTo("{\"status\":\"pending\"}");
    }

    @Test
    void aBinaryCloudEventOfAnyBindingIsAnEvent() {
        for (String prefix : new String[] {"ce_", "ce-", "cloudEvents:", "cloudEvents_"}) {
            Map<String, String> headers = Map.of(
                    prefix + "specversion",
                    "1.0",
                    prefix + "id",
                    "A234-1234-1234",
                    prefix + "source",
                    "https://github.com/cloudevents?x=1",
                    prefix + "type",
                    "com.github.pull_request.opened",
                    prefix + "subject",
                    "123",
                    prefix + "comexampleothervalue",
                    "5",
                    "content-type",
                    "text/xml");
            Event event = new CloudEventsEnvelope(noon()).read(new Message(headers, bytes("<much wow/>")));

            assertThat(event.domain()).isEqualTo("https://github.com/cloudevents-x-1");
            assertThat(event.occurredAt()).isEqualTo(noon().instant());
            assertThat(event.contentType()).isEqualTo("text/xml");
            assertThat(event.headers())
                    .containsEntry("comexampleothervalue", "5")
                    .containsEntry("/id", "A234-1234-1234");
            assertThat(new CloudEventsEnvelope().seal(event).headers())
                    .containsEntry("ce_id", "A234-1234-1234")
                    .containsEntry("ce_source", "https://github.com/cloudevents?x=1")
                    .containsEntry("ce_comexampleothervalue", "5");
        }
    }

    @Test
    void aStructuredCloudEventIsAnEvent() {
        Event event = new StructuredCloudEventsEnvelope().read(new Message(Map.of(), bytes("""
                {"specversion": "1.0", "id": "0198c5a8-0000-7000-8000-000000000001", "source": "/orders",
                 "type": "order.placed", "time": "2026-01-02T03:04:05Z", "partitionkey": "o1", "sequence": "7",
                 "datacontenttype": "application/json", "data": {"rate": 1.50}}""")));

        assertThat(event.id()).isEqualTo(UUID.fromString(ID));
        assertThat(event.domain()).isEqualTo("orders");
        assertThat(event.key()).contains("o1");
        assertThat(event.sequence()).hasValue(7);
        assertThat(event.headers()).isEmpty();
        assertThat(text(event)).isEqualTo("{\"rate\": 1.50}");
    }

    @Test
    void badInputSaysWhereAndWhy() {
        refused(transfers, TRANSFER.replace("\"v\": 1", "\"v\": 2"), "line 3, column 10", "only version 1 is known");
        refused(transfers, TRANSFER.replace(ID, "no-id"), "line 4, column 16", "/envelope/eventId is no UUID");
        refused(transfers, TRANSFER.replace("2025-08-26T10:15:01Z", "today"), "/envelope/occurredAt is no time");
        refused(transfers, TRANSFER.replace("\"payload\"", "\"load\""), "/payload is missing");
        refused(transfers, TRANSFER.replace("events.transfers.submitted.usdc", "x"), "events.DOMAIN.TYPE");
        refused(transfers, TRANSFER.substring(0, 200), "at byte 200", "ends too early");
        refused(aggregate, AGGREGATE.replace("\"created\"", "5"), "/event_type is no text");
        refused(aggregate, AGGREGATE.replace("\"region\"", "\"event_type\""), "/event_type is there twice");
    }

    private static void refused(Envelope envelope, String body, String... reasons) {
        Message message = new Message(Map.of(), bytes(body));
        assertThat(envelope.recognises(message)).as(body).isTrue();
        assertThatThrownBy(() -> envelope.read(message))
                .isInstanceOf(UndecodableException.class)
                .message()
                .contains(reasons);
    }

    private static Event read(Envelope envelope, String body) {
        Message message = new Message(Map.of(), bytes(body));
        assertThat(envelope.recognises(message)).isTrue();
        return envelope.read(message);
    }

    private static Clock noon() {
        return Clock.fixed(Instant.parse("2026-03-01T12:00:00Z"), ZoneOffset.UTC);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Event event) {
        return new String(event.payloadBytes(), StandardCharsets.UTF_8);
    }
}
