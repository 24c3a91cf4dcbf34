package dev.posthorn.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The object that a change is asked for with, field by field; what has the wrong form is refused by its name. */
record Wish(ObjectNode json) {

    private static final int LONGEST_REASON = 1_000;

    /** Why, which every change has to say. */
    String reason() {
        String reason = text("reason");
        if (reason == null || reason.length() > LONGEST_REASON) {
            throw Refusal.invalid("Say why, for the record: {\"reason\": \"…\"} with 1 to " + LONGEST_REASON
                    + " characters. Nothing was changed.");
        }
        return reason;
    }

    /** Null if it is not there, or blank. */
    @Nullable
    String text(String name) {
        JsonNode value = json.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isTextual()) {
            throw wrong(name, "a text");
        }
        return value.asText().isBlank() ? null : value.asText();
    }

    String required(String name) {
        return Optional.ofNullable(text(name))
                .orElseThrow(() -> Refusal.invalid("The field " + name + " is missing. Nothing was changed."));
    }

    boolean flag(String name) {
        JsonNode value = json.path(name);
        if (!value.isMissingNode() && !value.isNull() && !value.isBoolean()) {
            throw wrong(name, "true or false");
        }
        return value.asBoolean(false);
    }

    Optional<Integer> number(String name, int least, int most) {
        JsonNode value = json.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.asInt() < least || value.asInt() > most) {
            throw wrong(name, "a whole number from " + least + " to " + most);
        }
        return Optional.of(value.asInt());
    }

    List<String> texts(String name) {
        JsonNode value = json.path(name);
        List<String> found = new ArrayList<>();
        if (!value.isMissingNode() && !value.isNull() && !value.isArray()) {
            throw wrong(name, "a list of texts");
        }
        for (JsonNode one : value) {
            if (!one.isTextual()) {
                throw wrong(name, "a list of texts");
            }
            found.add(one.asText());
        }
        return found;
    }

    /** An object inside, empty if it is not there. */
    Wish inside(String name) {
        JsonNode value = json.path(name);
        if (value instanceof ObjectNode object) {
            return new Wish(object);
        }
        if (!value.isMissingNode() && !value.isNull()) {
            throw wrong(name, "an object");
        }
        return new Wish(Json.object());
    }

    boolean has(String name) {
        return json.hasNonNull(name);
    }

    Map<String, String> map(String name) {
        Wish inside = inside(name);
        Map<String, String> found = new LinkedHashMap<>();
        inside.json()
                .fieldNames()
                .forEachRemaining(
                        field -> found.put(field, inside.json().path(field).asText()));
        return found;
    }

    /** Refuses what nobody would look at: a slip of the pen in a filter must not widen it. */
    void only(List<String> known) {
        json.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                throw Refusal.invalid("There is no field " + name + " here, but: " + String.join(", ", known)
                        + ". Nothing was changed.");
            }
        });
    }

    private static Refusal wrong(String name, String form) {
        return Refusal.invalid("The field " + name + " must be " + form + ". Nothing was changed.");
    }
}
