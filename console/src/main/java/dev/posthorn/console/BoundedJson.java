package dev.posthorn.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * JSON of a bounded size. In an object that is too large, long texts are cut, first those over 4,000 characters, then shorter ones;
 * the object then says {@code "cut": true}.
 */
final class BoundedJson {

    /** No answer is longer, but for downloads. */
    static final int MOST_BYTES = 4 * 1024 * 1024;

    /** Multiples of four, so that Base64 that is cut can still be decoded. */
    private static final List<Integer> LENGTHS = List.of(4_000, 1_000, 200, 40);

    private static final String BASE64 = "base64";

    private BoundedJson() {}

    /** Returns the object as a line. Throws if it is too large although every text is short. */
    static byte[] line(ObjectNode node) {
        byte[] line = bytes(node);
        for (int length : LENGTHS) {
            if (line.length <= MOST_BYTES) {
                return line;
            }
            cut(node, length);
            line = bytes(node.put("cut", true));
        }
        if (line.length > MOST_BYTES) {
            throw Refusal.of(
                    422,
                    "too-large",
                    "The answer would have more than " + MOST_BYTES + " bytes. Ask for less, such as with limit.");
        }
        return line;
    }

    private static byte[] bytes(ObjectNode node) {
        return (Json.line(node) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static void cut(JsonNode node, int length) {
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : new ArrayList<>(object.properties())) {
                if (field.getValue() instanceof TextNode || field.getValue().isBinary()) {
                    object.put(
                            field.getKey(), cut(field.getKey(), field.getValue().asText(), length));
                } else {
                    cut(field.getValue(), length);
                }
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                if (array.get(i) instanceof TextNode text) {
                    array.set(i, TextNode.valueOf(cut("", text.asText(), length)));
                } else {
                    cut(array.get(i), length);
                }
            }
        }
    }

    private static String cut(String name, String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        if (name.endsWith(BASE64)) {
            return text.substring(0, length);
        }
        int end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
        return text.substring(0, end) + "…";
    }
}
