package dev.posthorn.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A client of Pub/Sub that does not know Posthorn: it speaks the service's HTTP interface. */
final class ForeignPubSub {

    /** A message as it was received. */
    record Message(String body, Map<String, String> attributes) {}

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;

    ForeignPubSub(String address, String project) {
        this.base = "http://" + address + "/v1/projects/" + project;
    }

    /** Creates a topic, and a subscription of the same name. */
    ForeignPubSub topic(String name) {
        JsonNode unused = call("PUT", "/topics/" + name, Map.of());
        JsonNode unusedToo = call(
                "PUT",
                "/subscriptions/" + name,
                Map.of("topic", base.substring(base.indexOf("projects/")) + "/topics/" + name));
        return this;
    }

    /** The messages that arrived in the subscription of this topic since the last call. */
    List<Message> pull(String topic) {
        JsonNode answer = call(
                "POST", "/subscriptions/" + topic + ":pull", Map.of("maxMessages", 100, "returnImmediately", true));
        List<Message> messages = new ArrayList<>();
        List<String> acks = new ArrayList<>();
        for (JsonNode received : answer.path("receivedMessages")) {
            Map<String, String> attributes = new TreeMap<>();
            received.path("message")
                    .path("attributes")
                    .properties()
                    .forEach(one -> attributes.put(one.getKey(), one.getValue().asText()));
            byte[] data = Base64.getDecoder()
                    .decode(received.path("message").path("data").asText(""));
            messages.add(new Message(new String(data, UTF_8), attributes));
            acks.add(received.path("ackId").asText());
        }
        if (!acks.isEmpty()) {
            JsonNode unused = call("POST", "/subscriptions/" + topic + ":acknowledge", Map.of("ackIds", acks));
        }
        return messages;
    }

    private JsonNode call(String method, String path, Map<String, ?> body) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(base + path))
                    .header("content-type", "application/json")
                    .method(method, HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                    .build();
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
            }
            return JSON.readTree(answer.body());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError(stopped);
        }
    }
}
