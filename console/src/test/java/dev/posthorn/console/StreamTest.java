package dev.posthorn.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.posthorn.console.Scene.Reply;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.testkit.Await;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is told without being asked again. */
class StreamTest {

    private static EmbeddedPostgres server;
    private static Scene scene;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        scene = Scene.with(server, Scene.oneForEachRole());
    }

    @AfterAll
    static void stop() {
        scene.close();
        server.close();
    }

    @Test
    void aStreamTellsOfTheOverviewOfPointsAndOfJobs() throws Exception {
        HttpResponse<InputStream> stream = open();
        scene.dieOnRoute("a", "failed");
        Reply started = scene.post(
                "/v1/dead/redrive", "{\"reason\": \"x\", \"expected\": 1, \"filter\": {\"route\": \"main\"}}");
        assertThat(started.code()).as(started.body()).isEqualTo(202);

        Set<String> kinds = new HashSet<>();
        ObjectMapper mapper = new ObjectMapper();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            String kind = "";
            while (!kinds.containsAll(Set.of("overview", "point", "job"))) {
                String line = lines.readLine();
                if (line.startsWith("event: ")) {
                    kind = line.substring("event: ".length());
                } else if (line.startsWith("data: ")) {
                    assertThat(mapper.readTree(line.substring("data: ".length()))
                                    .isObject())
                            .isTrue();
                    kinds.add(kind);
                }
            }
        }

        assertThat(stream.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
    }

    @Test
    void manyReadersKeepNobodyFromAnAnswerAndTooManyAreRefused() throws Exception {
        List<HttpResponse<InputStream>> streams = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            streams.add(open());
        }

        assertThat(scene.get("/v1/overview").code()).isEqualTo(200);
        assertThat(scene.get("/v1/health").code()).isEqualTo(200);
        assertThat(streams.stream().filter(stream -> stream.statusCode() == 200).count())
                .isBetween(20L, 32L);
        assertThat(streams.stream().filter(stream -> stream.statusCode() == 429).count())
                .isPositive();

        for (HttpResponse<InputStream> stream : streams) {
            stream.body().close();
        }
        Await.until("there is room again", () -> {
            try {
                HttpResponse<InputStream> again = open();
                again.body().close();
                return again.statusCode() == 200;
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @Test
    void theHistoryGrowsByItself() {
        Await.until(
                "there is a point",
                () -> scene.get("/v1/history?minutes=5").json().path("points").size() > 0);

        assertThat(scene.get("/v1/history").json().path("every_seconds").asInt())
                .isEqualTo(5);
        assertThat(scene.get("/v1/history").json().path("points").get(0).fieldNames())
                .toIterable()
                .containsExactly(
                        "at",
                        "published_per_second",
                        "emitted_per_second",
                        "waiting",
                        "lag_seconds",
                        "dead",
                        "blocked_keys");
        assertThat(scene.get("/v1/history?minutes=0").code()).isEqualTo(400);
    }

    private static HttpResponse<InputStream> open() throws Exception {
        return scene.client()
                .send(scene.request("/v1/stream", Role.VIEWER).build(), HttpResponse.BodyHandlers.ofInputStream());
    }
}
