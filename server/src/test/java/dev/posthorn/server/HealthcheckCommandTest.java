package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HealthcheckCommandTest {

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private volatile int code = 200;
    private volatile String body = "{\"status\": \"ok\"}";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getPath());
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Test
    void whoIsWellEndsWithZero() {
        Cli answer = Cli.run("healthcheck", "--url", url());

        assertThat(answer.code()).isZero();
        assertThat(answer.out()).isEqualToIgnoringNewLines("ok");
        assertThat(asked).containsExactly("/v1/health/ready");
    }

    @Test
    void whoIsNotEndsWithOneAndSaysSo() {
        code = 503;
        body = "{\"status\": \"down\"}";

        Cli answer = Cli.run("healthcheck", "--url", url(), "--probe", "live", "--json");

        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.json().path("ok").asBoolean(true)).isFalse();
        assertThat(answer.json().path("status").asText()).isEqualTo("down");
        assertThat(asked).containsExactly("/v1/health/live");
    }

    @Test
    void whoIsNotThereIsUnreachable() {
        String nowhere = url();
        server.stop(0);

        Cli answer = Cli.run("healthcheck", "--url", nowhere);

        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.out()).startsWith("unreachable: nobody answers at " + nowhere + "/v1/health/ready");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop/admin/posthorn", "/shop/admin/posthorn/"})
    void aConsoleBelowAPathOfAnApplicationIsAskedThere(String path) {
        assertThat(Cli.run("healthcheck", "--url", url() + path).code()).isZero();

        assertThat(asked).containsExactly("/shop/admin/posthorn/v1/health/ready");
    }
}
