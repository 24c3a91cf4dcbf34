package dev.posthorn.transports.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.posthorn.testkit.Received;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the file back with a JSON parser that is not ours. */
final class Lines {

    private static final ObjectMapper JSON = new ObjectMapper();

    private Lines() {}

    static List<JsonNode> of(Path file) {
        try {
            return Files.notExists(file)
                    ? List.of()
                    : Files.readString(file).lines().map(Lines::parsed).toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException notJson) {
            throw new AssertionError("Not JSON: " + line, notJson);
        }
    }

    static Received received(JsonNode line) {
        return new Received(
                UUID.fromString(line.required("id").textValue()),
                line.required("type").textValue(),
                text(line, "key"),
                text(line, "correlation_id"),
                ByteBuffer.wrap(Base64.getDecoder()
                        .decode(line.required("payload_base64").textValue())));
    }

    private static @Nullable String text(JsonNode line, String field) {
        return line.path(field).textValue();
    }
}
