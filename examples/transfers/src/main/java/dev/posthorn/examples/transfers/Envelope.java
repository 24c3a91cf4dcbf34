package dev.posthorn.examples.transfers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.io.IOException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What every message is: {@code {envelope, key, payload}}.
 *
 * @param type such as {@code events.transfers.submitted.usdc}
 */
public record Envelope(UUID eventId, String type, String tenantId, Transfer transfer) {

    /** The domain of what happens to transfers. */
    public static final String TRANSFERS = "transfers";

    /** The domain of what happens to routes. */
    public static final String DIRECTORY = "directory";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int VERSION = 1;
    private static final String CURRENCY = "USD";

    // docs:start:transfers-event
    /** What happened to a transfer, such as {@code submitted.usdc}, as an event in its envelope. */
    static Event of(String what, Transfer transfer, @Nullable Event cause) {
        UUID id = UUID.randomUUID();
        Instant now = Instant.now();
        return Event.of(TRANSFERS, what)
                .id(id)
                .key(transfer.id()) // the MessageGroupId: a transfer's events are in order
                .aggregate("transfer", transfer.id())
                .tenant(transfer.tenant())
                .causationId(cause == null ? null : cause.id().toString())
                .traceparent(cause == null ? null : cause.traceparent().orElse(null))
                .occurredAt(now)
                .json(text(id, now, "events." + TRANSFERS + "." + what, transfer))
                .build();
    }
    // docs:end:transfers-event

    private static String text(UUID id, Instant at, String type, Transfer transfer) {
        ObjectNode message = JSON.createObjectNode();
        message.putObject("envelope")
                .put("v", VERSION)
                .put("eventId", id.toString())
                .put("occurredAt", at.toString())
                .put("tenantId", transfer.tenant())
                .put("type", type);
        message.putObject("key").put("transferId", transfer.id());
        ObjectNode payload = message.putObject("payload");
        payload.putObject("amount").put("value", transfer.amount()).put("currency", CURRENCY);
        payload.putObject("payer").put("type", "WALLET").put("id", transfer.payer());
        payload.putObject("payee").put("type", "WALLET").put("id", transfer.payee());
        try {
            return JSON.writeValueAsString(message);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Throws {@link PosthornException} if the event's payload is no such message. */
    static Envelope read(Event event) {
        JsonNode message;
        try {
            message = JSON.readTree(event.payloadBytes());
        } catch (IOException noJson) {
            throw new PosthornException("The payload of event " + event.id() + " is no JSON.", noJson);
        }
        JsonNode payload = message.path("payload");
        String tenant = text(message, "envelope", "tenantId");
        return new Envelope(
                event.id(),
                text(message, "envelope", "type"),
                tenant,
                new Transfer(
                        text(message, "key", "transferId"),
                        tenant,
                        text(payload, "amount", "value"),
                        payload.path("payer").path("id").asText("unknown"),
                        payload.path("payee").path("id").asText("unknown")));
    }

    private static String text(JsonNode node, String object, String field) {
        JsonNode found = node.path(object).path(field);
        if (!found.isTextual()) {
            throw new PosthornException("The message has no " + object + "." + field + ".");
        }
        return found.asText();
    }
}
