package dev.posthorn.examples.openpaw;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.io.IOException;

/**
 * A version of an asset at a site.
 *
 * @param site whose registry has it
 * @param origin where its author wrote it; at any other site it is a copy
 * @param number counted at each site, from 1
 */
public record AssetVersion(Site site, Site origin, String asset, int number, String author) {

    private static final ObjectMapper JSON = new ObjectMapper();

    boolean isCopy() {
        return site != origin;
    }

    String json() {
        return text(node());
    }

    /** The same with the amount of its reward. */
    String json(String amount) {
        return text(node().put("amount", amount));
    }

    private ObjectNode node() {
        return JSON.createObjectNode()
                .put("asset_id", asset)
                .put("version", number)
                .put("author", author)
                .put("site", site.word())
                .put("origin", origin.word());
    }

    private static String text(ObjectNode node) {
        try {
            return JSON.writeValueAsString(node);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Reads the payload of any event or command of this system. Without a site it is the northern one, and without an origin
     * its own, as in rows that services write by SQL. Throws {@link PosthornException} if it is of no version.
     */
    static AssetVersion of(Event event) {
        JsonNode payload = payload(event);
        String asset = payload.path("asset_id").asText("");
        int number = payload.path("version").asInt(0);
        if (asset.isEmpty() || number < 1) {
            throw new PosthornException("The payload of event " + event.id() + " has no asset_id or no version.");
        }
        Site site = Site.of(payload.path("site").asText(Site.NORTH.word()));
        Site origin = Site.of(payload.path("origin").asText(site.word()));
        return new AssetVersion(
                site, origin, asset, number, payload.path("author").asText("unknown"));
    }

    /** The amount in the payload of a settled reward. */
    static String amountOf(Event event) {
        return payload(event).path("amount").asText("0");
    }

    private static JsonNode payload(Event event) {
        try {
            return JSON.readTree(event.payloadBytes());
        } catch (IOException noJson) {
            throw new PosthornException("The payload of event " + event.id() + " is no JSON.", noJson);
        }
    }
}
