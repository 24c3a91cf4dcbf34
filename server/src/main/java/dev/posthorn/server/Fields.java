package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.console.StatusFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads answers for people out of those for programs. */
final class Fields {

    private Fields() {}

    static Optional<String> text(JsonNode node, String name) {
        return Optional.ofNullable(node.path(name).textValue());
    }

    static Optional<Instant> time(JsonNode node, String name) {
        return text(node, name).map(Instant::parse);
    }

    /** What goes before it and the text, or nothing. */
    static String after(String before, JsonNode node, String name) {
        return text(node, name).map(text -> before + text).orElse("");
    }

    /** A number with commas, or a question mark where it is not known. */
    static String count(JsonNode node, String name) {
        JsonNode number = node.path(name);
        return number.isNumber() ? String.format(Locale.ROOT, "%,d", number.asLong()) : "?";
    }

    static List<JsonNode> each(JsonNode node, String name) {
        List<JsonNode> items = new ArrayList<>();
        node.path(name).forEach(items::add);
        return items;
    }

    static List<String> texts(JsonNode node, String name) {
        return each(node, name).stream().map(JsonNode::asText).toList();
    }

    static List<Map.Entry<String, JsonNode>> entries(JsonNode node, String name) {
        return List.copyOf(node.path(name).properties());
    }

    static Duration seconds(JsonNode node, String name) {
        return Duration.ofMillis(Math.round(node.path(name).asDouble() * 1e3));
    }

    /** How long ago something was, roughly. */
    static String ago(JsonNode node, String name, Instant now) {
        return time(node, name).map(since -> StatusFormat.ago(since, now)).orElse("?");
    }
}
