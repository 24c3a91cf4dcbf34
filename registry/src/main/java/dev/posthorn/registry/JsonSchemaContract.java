package dev.posthorn.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The payload is JSON that a JSON Schema allows.
 *
 * <p>Draft 2020-12, or the one that the schema's {@code $schema} names. A reference outside the schema is not followed. Needs
 * {@code com.networknt:json-schema-validator}.
 */
public final class JsonSchemaContract implements Contract {

    private static final ObjectReader JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build()
            .readerFor(JsonNode.class);
    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private final String name;
    private final String text;
    private final Schema schema;

    private JsonSchemaContract(String name, String text, Schema schema) {
        this.name = name;
        this.text = text;
        this.schema = schema;
    }

    /**
     * With this schema. Throws {@link PosthornException} if the text is none.
     *
     * @param name for lists, such as the file it came from
     */
    public static JsonSchemaContract of(String name, String schema) {
        try {
            JsonNode node = JSON.readTree(schema);
            if (!node.isObject() && !node.isBoolean()) {
                throw new PosthornException("The schema " + name + " is neither a JSON object nor true or false.");
            }
            Schema read = SCHEMAS.getSchema(node);
            read.initializeValidators();
            return new JsonSchemaContract(name, schema, read);
        } catch (PosthornException known) {
            throw known;
        } catch (IOException | RuntimeException broken) {
            throw new PosthornException(
                    "The schema " + name + " can not be read: " + reasonOf(broken) + ". Correct it.", broken);
        }
    }

    @Override
    public String describe() {
        return "schema " + name;
    }

    @Override
    public Optional<String> identity() {
        return Optional.of("schema " + text);
    }

    @Override
    public List<Violation> check(Event event) {
        Optional<Violation> absent = PresentContract.absent(event);
        if (absent.isPresent()) {
            return List.of(absent.get());
        }
        JsonNode payload;
        try {
            payload = JSON.readTree(event.payloadBytes());
        } catch (IOException noJson) {
            return List.of(new Violation(Rule.UNDECODABLE_PAYLOAD, placeOf(noJson), "is no JSON: " + reasonOf(noJson)));
        }
        List<Error> errors = schema.validate(payload);
        return errors.isEmpty()
                ? List.of()
                : errors.stream().map(JsonSchemaContract::violation).toList();
    }

    private static Violation violation(Error error) {
        return new Violation(
                Rule.INVALID_PAYLOAD, "payload" + error.getInstanceLocation(), String.valueOf(error.getMessage()));
    }

    private static String placeOf(IOException noJson) {
        return noJson instanceof JsonProcessingException json && json.getLocation() != null
                ? "payload, line " + json.getLocation().getLineNr() + ", column "
                        + json.getLocation().getColumnNr() + ","
                : "payload";
    }

    private static String reasonOf(Exception broken) {
        String reason =
                broken instanceof JsonProcessingException json ? json.getOriginalMessage() : broken.getMessage();
        return String.valueOf(reason);
    }
}
