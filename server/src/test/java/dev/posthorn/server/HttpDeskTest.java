package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.operations.Health;
import dev.posthorn.operations.Look;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDeskTest {

    private static final String TOKEN = "a-long-token";
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Health health =
            new Health(Clock.systemUTC(), new Health.Limits(MINUTE, MINUTE, MINUTE, Optional.empty()));
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpDesk desk = open(Optional.of(TOKEN));

    @AfterEach
    void close() {
        desk.close();
    }

    @ParameterizedTest
    @CsvSource({
        "x-metrics-token, a-long-token, 200",
        "Authorization, Bearer a-long-token, 200",
        "authorization, bearer a-long-token, 200",
        "x-metrics-token, a-long-tokem, 401",
        "Authorization, Basic a-long-token, 401",
        "Authorization, a-long-token, 401",
        "x-other, a-long-token, 401"
    })
    void aScrapeNeedsTheToken(String header, String value, int code) throws Exception {
        registry.counter("some.thing").increment();

        HttpResponse<String> answer = get("/v1/metrics", header, value);

        assertThat(answer.statusCode()).isEqualTo(code);
        assertThat(answer.body().contains("some_thing_total 1.0")).isEqualTo(code == 200);
    }

    @Test
    void withoutATokenThisHostMayScrape() throws Exception {
        desk.close();
        desk = open(Optional.empty());

        assertThat(get("/v1/metrics", "x", "y").statusCode()).isEqualTo(200);
        assertThat(get("/v1/health", "x", "y").body()).contains("\"findings\":");
    }

    @Test
    void whoBringsNoTokenLearnsOnlyWhetherItIsWell() throws Exception {
        assertThat(get("/v1/health", "x", "y").statusCode()).isEqualTo(503);
        assertThat(get("/v1/health", "x", "y").body()).isEqualTo("{\"status\":\"unready\"}\n");
        assertThat(get("/v1/health", "x-metrics-token", TOKEN).body()).contains("has not been looked at yet");

        health.looked(new Look(Instant.now(), Optional.empty(), Map.of(), Map.of()));

        assertThat(get("/v1/health", "x", "y").statusCode()).isEqualTo(200);
        assertThat(get("/v1/health/ready", "x", "y").body()).isEqualTo("{\"status\":\"ok\"}\n");
    }

    @Test
    void notBeingReadyIsNoReasonForARestart() throws Exception {
        health.looked(Look.failed(Instant.now(), "no database"));

        assertThat(get("/v1/health/live", "x", "y").statusCode()).isEqualTo(200);
        assertThat(get("/v1/health/ready", "x", "y").statusCode()).isEqualTo(503);
        assertThat(Cli.run("healthcheck", "--url", url(""), "--probe", "live").code())
                .isZero();
        Cli ready = Cli.run("healthcheck", "--url", url(""), "--json");
        assertThat(ready.code()).isEqualTo(1);
        assertThat(ready.json().path("status").asText()).isEqualTo("unready");
    }

    @Test
    void aHealthcheckOfNobodySaysSo() {
        Cli answer = Cli.run("healthcheck", "--url", "http://127.0.0.1:1");

        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.out()).contains("unreachable: nobody answers at http://127.0.0.1:1/v1/health/ready");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/v1", "/metrics", "/v1/health/../metrics/x"})
    void otherPagesAreNotThere(String path) throws Exception {
        assertThat(get(path, "x-metrics-token", TOKEN).statusCode()).isEqualTo(404);
    }

    @Test
    void nothingCanBeChanged() throws Exception {
        HttpRequest post = HttpRequest.newBuilder(URI.create(url("/v1/health")))
                .POST(HttpRequest.BodyPublishers.ofString("x"))
                .build();

        assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(405);
    }

    @Test
    void anAddressThatIsTakenIsNamedWithItsKey() {
        assertThatThrownBy(() -> HttpDesk.open(
                        InetSocketAddress.createUnresolved("127.0.0.1", desk.port()),
                        Optional.empty(),
                        health,
                        registry))
                .hasMessageContaining("127.0.0.1:" + desk.port())
                .hasMessageContaining("http.address");
    }

    @Test
    @Tag("slow")
    void whoNeverEndsARequestKeepsNobodyElseFromAnAnswer() throws Exception {
        List<Socket> halves = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Socket half = new Socket(InetAddress.getLoopbackAddress(), desk.port());
            half.getOutputStream().write("GET /v1/health HTTP/1.1\r\nHost: x\r\n".getBytes(StandardCharsets.US_ASCII));
            halves.add(half);
        }

        assertThat(get("/v1/health/live", "x", "y").statusCode()).isEqualTo(200);

        for (Socket half : halves) {
            half.close();
        }
    }

    private HttpDesk open(Optional<String> token) {
        return HttpDesk.open(InetSocketAddress.createUnresolved("127.0.0.1", 0), token, health, registry);
    }

    private HttpResponse<String> get(String path, String header, String value)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url(path)))
                .header(header, value)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private String url(String path) {
        return "http://127.0.0.1:" + desk.port() + path;
    }
}
