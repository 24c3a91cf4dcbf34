package dev.posthorn.examples.transfers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.codecs.TransfersEnvelope;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What every message is: {@code {envelope, key, payload}}.
 *
 * @param type such as {@code submitted.usdc}
 */
public record Envelope(UUID eventId, String type, String tenantId, Transfer transfer) {

    /** The domain of what happens to transfers. */
    public static final String TRANSFERS = "transfers";

    /** The domain of what happens to routes. */
    public static final String DIRECTORY = "directory";

    static final String ROUTE_UPDATED = "route.updated";

    /** Followed by the rail, such as {@code submitted.usdc}. */
    static final String SUBMITTED = "submitted.";

    /** How it travels, and also how it lies in the log, as the design has it. */
    static final TransfersEnvelope FORM = new TransfersEnvelope();

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CURRENCY = "USD";

    // docs:start:transfers-event
    /** What happened to a transfer, such as {@code submitted.usdc}, as an event in its envelope. */
    static Event of(String what, Transfer transfer, @Nullable Event cause) {
        Event event = Event.of(TRANSFERS, what)
                .id(UUID.randomUUID())
                .key(transfer.id()) // the MessageGroupId: a transfer's events are in order
                .aggregate("transfer", transfer.id())
                .tenant(transfer.tenant())
                .causationId(cause == null ? null : cause.id().toString())
                .traceparent(cause == null ? Trace.begin() : Trace.after(cause)) // from the first event on
                .json(payload(transfer))
                .build();
        return FORM.seal(event);
    }
    // docs:end:transfers-event

    /** A route that the directory has changed, as an event in its envelope. The changes of a payee are in order. */
    static Event ofRoute(String payee, String rail, long version) {
        Event event = Event.of(DIRECTORY, ROUTE_UPDATED)
                .key(payee)
                .sequence(version)
                .aggregate("route", payee)
                .traceparent(Trace.begin())
                .json(json(JSON.createObjectNode()
                        .put("payee", payee)
                        .put("rail", rail)
                        .put("version", version)))
                .build();
        return FORM.seal(event);
    }

    private static String payload(Transfer transfer) {
        ObjectNode payload = JSON.createObjectNode();
        payload.putObject("amount").put("value", transfer.amount()).put("currency", CURRENCY);
        payload.putObject("payer").put("type", "WALLET").put("id", transfer.payer());
        payload.putObject("payee").put("type", "WALLET").put("id", transfer.payee());
        return json(payload);
    }

    private static String json(ObjectNode object) {
        try {
            return JSON.writeValueAsString(object);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Of an event whose envelope is open. Throws {@link PosthornException} if its payload is no transfer's. */
    static Envelope read(Event event) {
        JsonNode payload;
        try {
            payload = JSON.readTree(event.payloadBytes());
        } catch (IOException noJson) {
            throw new PosthornException("The payload of event " + event.id() + " is no JSON.", noJson);
        }
        String tenant = event.tenant().orElseThrow(() -> new PosthornException(event + " has no tenant."));
        String id = event.key().orElseThrow(() -> new PosthornException(event + " has no transfer."));
        return new Envelope(
                event.id(),
                event.type(),
                tenant,
                new Transfer(
                        id,
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
