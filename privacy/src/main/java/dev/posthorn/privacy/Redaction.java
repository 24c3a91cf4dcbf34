package dev.posthorn.privacy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Hides values from people who look at events. What is stored and what travels stays as it is.
 *
 * <p>A hidden value is shown as {@value #HIDDEN}; its name and its place stay to be seen.
 *
 * <p>Not guaranteed: that all personal data is found. A name in free text is not.
 *
 * <p>Immutable and thread-safe.
 */
public final class Redaction {

    /** What is shown in place of a value. */
    public static final String HIDDEN = "***";

    private static final ObjectMapper MAPPER = JsonMapper.builder().build();
    private static final Redaction NONE = new Redaction(new FieldNames(List.of()), Reach.NOTHING);
    private static final Redaction STANDARD = new Redaction(new FieldNames(FieldNames.USUAL), Reach.LIKENESSES);
    private static final Redaction EVERYTHING = new Redaction(new FieldNames(List.of()), Reach.EVERYTHING);

    /** What is hidden beside the fields by name. */
    private enum Reach {
        NOTHING,
        LIKENESSES,
        EVERYTHING
    }

    private final FieldNames names;
    private final Reach reach;

    private Redaction(FieldNames names, Reach reach) {
        this.names = names;
        this.reach = reach;
    }

    /** Hides nothing. */
    public static Redaction none() {
        return NONE;
    }

    /** Hides fields with usual names, such as {@code email} or {@code password}, and what looks like e-mail, card, IBAN, phone. */
    public static Redaction standard() {
        return STANDARD;
    }

    /** Hides every value; only names are left. */
    public static Redaction everything() {
        return EVERYTHING;
    }

    /** Hides fields with these names, or at these paths ({@code customer.email}), and what looks like e-mail, card, IBAN, phone. */
    public static Redaction of(Collection<String> fields) {
        return new Redaction(new FieldNames(fields), Reach.LIKENESSES);
    }

    /** A copy with values hidden. */
    public JsonNode json(JsonNode node) {
        return json("", node);
    }

    private JsonNode json(String path, JsonNode node) {
        if (!path.isEmpty() && names.has(path) && !node.isNull()) {
            return TextNode.valueOf(HIDDEN);
        }
        if (node.isObject()) {
            ObjectNode copy = JsonNodeFactory.instance.objectNode();
            node.properties()
                    .forEach(field -> copy.set(
                            field.getKey(),
                            json(path.isEmpty() ? field.getKey() : path + "." + field.getKey(), field.getValue())));
            return copy;
        }
        if (node.isArray()) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode(node.size());
            node.forEach(item -> copy.add(json(path, item)));
            return copy;
        }
        return value(node);
    }

    private JsonNode value(JsonNode node) {
        if (node.isNull() || reach == Reach.NOTHING) {
            return node;
        }
        if (reach == Reach.EVERYTHING) {
            return TextNode.valueOf(HIDDEN);
        }
        String text = node.asText();
        String shown = masked(text);
        return shown.equals(text) ? node : TextNode.valueOf(shown);
    }

    /** Header by header: the values of those with a name to hide, and what looks like personal data in the others. */
    public Map<String, String> headers(Map<String, String> headers) {
        Map<String, String> shown = new TreeMap<>();
        headers.forEach((name, value) -> shown.put(name, names.has(name) ? HIDDEN : plain(value)));
        return shown;
    }

    /** A text such as a failure's reason, with what looks like personal data hidden. */
    public String plain(String text) {
        return switch (reach) {
            case NOTHING -> text;
            case LIKENESSES -> masked(text);
            case EVERYTHING -> HIDDEN;
        };
    }

    private static String masked(String text) {
        String shown = text;
        for (Likeness one : Likeness.values()) {
            shown = one.masked(shown, HIDDEN);
        }
        return shown;
    }

    /** A payload for people: JSON with values hidden, a text likewise, and of all else the size and the content type. */
    public String text(byte[] payload, String contentType) {
        try {
            if (ContentTypes.isJson(contentType)) {
                return MAPPER.writeValueAsString(json(MAPPER.readTree(payload)));
            }
            if (ContentTypes.isText(contentType)) {
                return plain(StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(payload))
                        .toString());
            }
        } catch (JsonProcessingException | CharacterCodingException malformed) {
            return size(payload, contentType) + ", malformed)";
        } catch (IOException inMemory) {
            throw new IllegalStateException(inMemory);
        }
        return size(payload, contentType) + ")";
    }

    private static String size(byte[] payload, String contentType) {
        return "(" + payload.length + " bytes of " + contentType;
    }
}
