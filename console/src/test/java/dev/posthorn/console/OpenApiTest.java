package dev.posthorn.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.console.Scene.Reply;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The document, the server and the page of documentation tell the same. */
class OpenApiTest {

    private static final Path PAGE = Path.of("..", "docs", "http.md");
    private static EmbeddedPostgres server;
    private static Scene scene;
    private static JsonNode document;
    private static String event;
    private static String letter;

    /** A little of everything, so that every list has something to check. */
    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        scene = Scene.with(server, Scene.oneForEachRole());
        scene.memberOfBilling();
        event = scene.dieOnRoute("a", "no queue 7");
        letter = scene.dieInConsumer("no account");
        scene.emit("orders", "a", "a", "{}");
        scene.post("/v1/replays", "{\"reason\": \"x\", \"route\": \"main\"}");
        scene.post("/v1/prune", "{\"reason\": \"x\"}");
        document = scene.get("/v1/openapi.json").json();
    }

    @AfterAll
    static void stop() {
        scene.close();
        server.close();
    }

    @Test
    void everyEndpointIsInTheDocumentAndEveryOperationIsAnswered() {
        List<String> described = new ArrayList<>();
        each(
                document.path("paths"),
                (path, methods) -> each(
                        methods, (method, operation) -> described.add(method.toUpperCase(Locale.ROOT) + " " + path)));
        List<String> routed = scene.console.endpoints().stream()
                .map(endpoint -> endpoint.method() + " " + endpoint.path())
                .toList();

        assertThat(described).containsExactlyInAnyOrderElementsOf(routed).hasSizeGreaterThan(40);
        for (String one : described) {
            String[] parts = one.split(" ", 2);
            int code = scene.send(scene.request(filled(parts[1]), Role.ADMIN)
                            .header("Content-Type", "application/json")
                            .header("Idempotency-Key", UUID.randomUUID().toString())
                            .method(
                                    parts[0].equals("GET") ? "HEAD" : "POST",
                                    parts[0].equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString("{}")))
                    .code();
            assertThat(code).as(one).isIn(200, 400, 404);
        }
    }

    @Test
    void everyAnswerIsWhatItsSchemaSays() {
        List<String> faults = new ArrayList<>();
        each(document.path("paths"), (path, methods) -> {
            JsonNode schema = methods.at("/get/responses/200/content/application~1json/schema");
            if (schema.isMissingNode() || path.equals("/v1/openapi.json")) {
                return;
            }
            Reply reply = scene.get(filled(path));
            if (reply.code() == 200) {
                check(path, reply.json(), schema, faults);
            }
        });

        assertThat(faults).isEmpty();
    }

    @Test
    void everySchemaThatIsNamedIsThereAndUsed() {
        String text = document.toString();

        document.path("components")
                .path("schemas")
                .fieldNames()
                .forEachRemaining(name -> assertThat(text).contains("\"#/components/schemas/" + name + "\""));
        for (JsonNode reference : document.findValues("$ref")) {
            assertThat(document.at(reference.asText().substring(1)).isObject())
                    .as(reference.asText())
                    .isTrue();
        }
    }

    @Test
    void thePageOfDocumentationListsThemAll() throws IOException {
        StringBuilder table = new StringBuilder("| ask | needs | for |\n|---|---|---|\n");
        each(
                document.path("paths"),
                (path, methods) -> each(
                        methods,
                        (method, operation) -> table.append("| `")
                                .append(method.toUpperCase(Locale.ROOT))
                                .append(' ')
                                .append(path)
                                .append("` | ")
                                .append(operation.path("x-right").asText())
                                .append(" | ")
                                .append(operation.path("summary").asText())
                                .append(" |\n")));

        assertThat(Files.readString(PAGE))
                .as("put this table into docs/http.md")
                .contains(table.toString());
    }

    private static String filled(String path) {
        String id = path.startsWith("/v1/events")
                ? event
                : path.startsWith("/v1/dead")
                        ? letter
                        : path.startsWith("/v1/replays")
                                ? scene.get("/v1/replays")
                                        .json()
                                        .at("/replays/0/id")
                                        .asText()
                                : path.startsWith("/v1/jobs")
                                        ? scene.get("/v1/jobs")
                                                .json()
                                                .at("/jobs/0/id")
                                                .asText()
                                        : UUID.randomUUID().toString();
        return path.replace("{id}", id)
                .replace("{name}", "nowhere")
                .replace("{key}", "a")
                .replace("{volume}", "none");
    }

    /** Fields that must be there, are there; and none that is not described. */
    private static void check(String where, JsonNode value, JsonNode schema, List<String> faults) {
        JsonNode form =
                schema.has("$ref") ? document.at(schema.path("$ref").asText().substring(1)) : schema;
        if (value.isArray()) {
            value.forEach(item -> check(where + "[]", item, form.path("items"), faults));
        } else if (value.isObject() && form.has("properties")) {
            form.path("required").forEach(name -> {
                if (!value.has(name.asText())) {
                    faults.add(where + " lacks " + name.asText());
                }
            });
            each(value, (name, inside) -> {
                if (form.path("properties").has(name)) {
                    check(where + "." + name, inside, form.path("properties").path(name), faults);
                } else {
                    faults.add(where + " has " + name + ", which is not described");
                }
            });
        } else if (form.has("type") && !form.path("type").toString().contains(kind(value))) {
            faults.add(where + " is " + value + ", not " + form.path("type"));
        }
    }

    private static String kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case NULL -> "null";
            case BOOLEAN -> "boolean";
            case STRING -> "string";
            case OBJECT -> "object";
            case NUMBER -> value.isIntegralNumber() ? "" : "number";
            default -> "?";
        };
    }

    private interface Each {
        void accept(String name, JsonNode value);
    }

    private static void each(JsonNode object, Each each) {
        object.properties().forEach(field -> each.accept(field.getKey(), field.getValue()));
    }
}
