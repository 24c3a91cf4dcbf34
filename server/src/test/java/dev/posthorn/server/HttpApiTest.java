package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A relay process and its API, from a configuration. */
class HttpApiTest {

    private static final int REQUESTS = 300;
    private static final int EVENTS = 200;

    private final HttpClient client = HttpClient.newHttpClient();
    private final ObjectMapper mapper = new ObjectMapper();

    @TempDir
    private Path folder;

    @Test
    @Tag("slow")
    void aRelayAnswersHundredsAtOnceAndPublishesAllTheWhile() throws Exception {
        JsonNode ann = Cli.run("config", "token", "ann", "--role", "operator", "--json")
                .json();
        try (EmbeddedPostgres server = EmbeddedPostgres.builder().unsafeFast().start()) {
            Path config = folder.resolve("posthorn.yaml");
            Files.writeString(
                    config,
                    "database: {url: '" + server.createDatabase("api") + "'}\n"
                            + "transports: {out: {address: 'file:" + folder.resolve("out.ndjson") + "'}}\n"
                            + "routes: {main: {transport: out, start: beginning}}\n"
                            + "http: {address: '127.0.0.1:0', tokens: {ann: {role: operator, sha256: "
                            + ann.path("sha256").asText() + "}}}\n");
            try (StartedRelay relay = new StartedRelay(config)) {
                relay.untilStarted(1);
                String token = ann.path("token").asText();
                assertThat(relay.get("/v1/overview").statusCode()).isEqualTo(401);

                List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
                for (int i = 0; i < REQUESTS; i++) {
                    String path = List.of("/v1/overview", "/v1/events", "/v1/status", "/v1/dead", "/v1/lanes")
                            .get(i % 5);
                    asked.add(client.sendAsync(request(relay, path, token).build(), BodyHandlers.ofString()));
                    if (i < EVENTS) {
                        asked.add(client.sendAsync(
                                request(relay, "/v1/events", token)
                                        .header("Content-Type", "application/json")
                                        .header(
                                                "Idempotency-Key",
                                                UUID.randomUUID().toString())
                                        .POST(BodyPublishers.ofString("{\"reason\": \"load\", \"domain\": \"orders\","
                                                + " \"type\": \"a\", \"payload\": " + i + "}"))
                                        .build(),
                                BodyHandlers.ofString()));
                    }
                }
                List<HttpResponse<String>> answers =
                        asked.stream().map(CompletableFuture::join).toList();

                assertThat(answers).extracting(HttpResponse::statusCode).isSubsetOf(200, 429);
                long emitted = answers.stream()
                        .filter(answer -> answer.body().contains("\"emitted\":true"))
                        .count();
                assertThat(emitted).isPositive();
                relay.await("all are published", () -> published() == emitted);
                relay.await("nothing waits any more, which follows the flush", () -> waiting(relay, token) == 0);
                assertThat(json(relay, "/v1/audit?action=emit&limit=500", token).path("actions"))
                        .hasSize((int) emitted)
                        .allMatch(action -> action.path("who").asText().equals("ann"));
                assertThat(relay.get("/v1/health").statusCode()).isEqualTo(200);
            }
        }
    }

    private int waiting(StartedRelay relay, String token) {
        try {
            return json(relay, "/v1/overview", token).at("/totals/waiting").asInt(-1);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private long published() {
        try (java.util.stream.Stream<String> lines = Files.lines(folder.resolve("out.ndjson"))) {
            return lines.filter(line -> line.contains("orders")).count();
        } catch (java.io.IOException notYet) {
            return 0;
        }
    }

    private JsonNode json(StartedRelay relay, String path, String token) throws Exception {
        return mapper.readTree(client.send(request(relay, path, token).build(), BodyHandlers.ofString())
                .body());
    }

    private static HttpRequest.Builder request(StartedRelay relay, String path, String token) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + relay.port() + path))
                .header("Authorization", "Bearer " + token);
    }
}
