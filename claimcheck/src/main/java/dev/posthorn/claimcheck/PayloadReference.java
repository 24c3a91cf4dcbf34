package dev.posthorn.claimcheck;

import dev.posthorn.event.Event;
import dev.posthorn.event.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an event carries in place of a payload that is kept elsewhere: {@code
 * {"sha256":"…","length":20971520,"contentType":"application/json"}}, with the content type {@value #CONTENT_TYPE}.
 *
 * @param length of the payload in bytes
 * @param contentType of the payload
 */
public record PayloadReference(PayloadKey key, long length, String contentType) {

    /** The content type of an event whose payload is a reference. */
    public static final String CONTENT_TYPE = "application/vnd.posthorn.claim+json";

    private static final int MOST_BYTES = 8 * 1024;

    private static final Pattern FORM = Pattern.compile(
            "\\s*\\{\\s*\"sha256\"\\s*:\\s*\"([0-9a-f]{64})\"\\s*,\\s*\"length\"\\s*:\\s*(\\d{1,12})"
                    + "\\s*,\\s*\"contentType\"\\s*:\\s*\"(.*)\"\\s*}\\s*",
            Pattern.DOTALL);

    /** Whether the event carries a reference. */
    public static boolean isIn(Event event) {
        return event.contentType().equals(CONTENT_TYPE);
    }

    /** A reference to the payload of this event. */
    static PayloadReference to(Event event) {
        return new PayloadReference(PayloadKey.of(event.payload()), event.payloadSize(), event.contentType());
    }

    /** The reference that the event carries, or empty if it is malformed. */
    static Optional<PayloadReference> read(Event event) {
        if (event.payloadSize() > MOST_BYTES) {
            return Optional.empty();
        }
        Matcher found = FORM.matcher(StandardCharsets.UTF_8.decode(event.payload()));
        return found.matches()
                ? JsonText.unescape(found.group(3))
                        .map(type -> new PayloadReference(
                                new PayloadKey(found.group(1)), Long.parseLong(found.group(2)), type))
                : Optional.empty();
    }

    /** The same event with this reference for a payload. */
    Event in(Event event) {
        String json = new JsonObject()
                .text("sha256", key.toString())
                .number("length", length)
                .text("contentType", contentType)
                .end()
                .toString();
        return event.withPayload(json.getBytes(StandardCharsets.UTF_8), CONTENT_TYPE);
    }
}
