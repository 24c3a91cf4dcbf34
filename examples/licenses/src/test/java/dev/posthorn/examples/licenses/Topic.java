package dev.posthorn.examples.licenses;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A topic as somebody sees it who knows nothing of Posthorn: by Pub/Sub's own HTTP. */
final class Topic {

    /** A message with all of its attributes. */
    record Message(String body, Map<String, String> attributes) {

        /** Those of the five attributes of the design. */
        Map<String, String> five() {
            Map<String, String> five = new TreeMap<>(attributes);
            five.keySet().retainAll(Set.of("event_id", "event_type", "aggregate_type", "aggregate_id", "created_at"));
            return five;
        }
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;
    private final String project;
    private final String name;

    Topic(String address, String project, String name) {
        this.base = "http://" + address + "/v1/";
        this.project = "projects/" + project;
        this.name = project(project) + "/topics/" + name;
    }

    private static String project(String id) {
        return "projects/" + id;
    }

    /** A subscription that gets whatever is published from now on. */
    void watch(String subscription) throws IOException, InterruptedException {
        JsonNode unused = call("PUT", project + "/subscriptions/" + subscription, Map.of("topic", name));
    }

    /** What has come there since the last time. */
    List<Message> pull(String subscription) throws IOException, InterruptedException {
        String path = project + "/subscriptions/" + subscription;
        JsonNode answer = call("POST", path + ":pull", Map.of("maxMessages", 1000, "returnImmediately", true));
        List<Message> messages = new ArrayList<>();
        List<String> acks = new ArrayList<>();
        for (JsonNode received : answer.path("receivedMessages")) {
            JsonNode message = received.path("message");
            Map<String, String> attributes = new TreeMap<>();
            message.path("attributes")
                    .properties()
                    .forEach(one -> attributes.put(one.getKey(), one.getValue().asText()));
            messages.add(new Message(
                    new String(Base64.getDecoder().decode(message.path("data").asText("")), UTF_8), attributes));
            acks.add(received.path("ackId").asText());
        }
        if (!acks.isEmpty()) {
            JsonNode unused = call("POST", path + ":acknowledge", Map.of("ackIds", acks));
        }
        return messages;
    }

    void publish(String body, Map<String, String> attributes) throws IOException, InterruptedException {
        Map<String, Object> message =
                Map.of("data", Base64.getEncoder().encodeToString(body.getBytes(UTF_8)), "attributes", attributes);
        JsonNode unused = call("POST", name + ":publish", Map.of("messages", List.of(message)));
    }

    private JsonNode call(String method, String path, Map<String, ?> body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + path))
                .header("content-type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
        }
        return JSON.readTree(answer.body());
    }
}
