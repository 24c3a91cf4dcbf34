package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Describes all that can be asked for, in OpenAPI 3.1, from the list that answers it: what is not in it is not there. */
final class OpenApi {

    private static final String JSON = "application/json";

    /** Schemas that are no objects of ours. */
    private static final Map<String, String> OTHERS = Map.of(
            "text",
            "text/plain",
            "stream",
            "text/event-stream",
            "object",
            JSON,
            Endpoint.DOWNLOAD,
            "application/octet-stream");

    private static final Map<String, String> PARAMETERS = parameters();

    private OpenApi() {}

    private static Map<String, String> parameters() {
        Map<String, String> about = new TreeMap<>(Map.of(
                "limit", "How many at once, up to " + Call.MOST + ".",
                "before", "Only what comes before this: what next said.",
                "after", "Only what comes after this: what next said.",
                "minutes", "How far back, up to " + History.MOST_MINUTES + ".",
                "state", "Events in this state on a route, such as PENDING, BLOCKED, FAILED or SENT.",
                "correlation", "Events of this correlation id.",
                "from", "Died then or later, as in 2026-03-01T00:00:00Z.",
                "to", "Died before then.",
                "who", "Only what was done in this name.",
                "action", "Only this, such as redrive or pause."));
        about.put("station", "route or consumer.");
        about.put("fingerprint", "What the reasons have in common, as a group shows it.");
        about.put("cause", "The kind of cause, such as publish-failed or rejected.");
        return about;
    }

    static ObjectNode of(List<Endpoint> endpoints, String version) {
        ObjectNode json = Json.object().put("openapi", "3.1.0");
        json.putObject("info")
                .put("title", "Posthorn admin API")
                .put(
                        "description",
                        "What an operator sees and does. Every change needs a reason and an Idempotency-Key.")
                .put("version", version);
        ObjectNode paths = json.putObject("paths");
        for (Endpoint endpoint : endpoints) {
            ObjectNode path =
                    paths.get(endpoint.path()) instanceof ObjectNode known ? known : paths.putObject(endpoint.path());
            path.set(endpoint.method().toLowerCase(Locale.ROOT), operation(endpoint));
        }
        ObjectNode components = json.putObject("components");
        components.set("schemas", schemas());
        components
                .putObject("securitySchemes")
                .putObject("token")
                .put("type", "http")
                .put("scheme", "bearer");
        return json;
    }

    private static ObjectNode operation(Endpoint endpoint) {
        Right right = endpoint.right();
        ObjectNode json = Json.object()
                .put("operationId", name(endpoint))
                .put("summary", endpoint.manual().summary())
                .put("x-right", right == null ? "none" : right.word());
        ArrayNode security = json.putArray("security");
        if (right != null) {
            security.addObject().putArray("token");
        }
        ArrayNode parameters = json.putArray("parameters");
        endpoint.names().forEach(name -> parameter(parameters, "path", name, null));
        endpoint.manual().query().forEach(name -> parameter(parameters, "query", name, PARAMETERS.get(name)));
        if (endpoint.isChange()) {
            if (right != Right.READ) {
                parameter(parameters, "header", "Idempotency-Key", "The same for a retry, another for another change.");
            }
            json.putObject("requestBody")
                    .put("required", true)
                    .set("content", content(endpoint.manual().body()));
        }
        json.set("responses", responses(endpoint));
        return json;
    }

    private static String name(Endpoint endpoint) {
        return (endpoint.method() + endpoint.path().replaceFirst("^/v1", ""))
                .toLowerCase(Locale.ROOT)
                .replaceAll("[{}]", "")
                .replaceAll("[^a-z]+", "_");
    }

    private static void parameter(ArrayNode parameters, String in, String name, @Nullable String about) {
        ObjectNode parameter =
                parameters.addObject().put("name", name).put("in", in).put("required", !in.equals("query"));
        if (about != null) {
            parameter.put("description", about);
        }
        parameter.putObject("schema").put("type", "string");
    }

    private static ObjectNode responses(Endpoint endpoint) {
        ObjectNode json = Json.object();
        json.putObject("200")
                .put("description", "As asked for.")
                .set("content", content(endpoint.manual().answer()));
        if (endpoint.isChange() && endpoint.right() != Right.READ) {
            json.putObject("202")
                    .put("description", "A job has begun, which /v1/jobs tells of.")
                    .set("content", content(endpoint.manual().answer()));
        }
        json.putObject("default")
                .put("description", "What is wrong, and what to do.")
                .set("content", content(endpoint.manual().answer().equals("Health") ? "Health" : "Error"));
        return json;
    }

    private static ObjectNode content(String schema) {
        ObjectNode json = Json.object();
        String other = OTHERS.get(schema);
        ObjectNode inside = json.putObject(other == null ? JSON : other).putObject("schema");
        if (other == null) {
            inside.put("$ref", "#/components/schemas/" + schema);
        } else {
            inside.put("type", other.equals(JSON) ? "object" : "string");
        }
        return json;
    }

    private static ObjectNode schemas() {
        try (InputStream in = OpenApi.class.getResourceAsStream("schemas.json")) {
            if (in == null) {
                throw new IllegalStateException("schemas.json is missing from the posthorn-console jar");
            }
            return Json.parse(in.readAllBytes()).orElseThrow();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
