package dev.posthorn.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.console.Scene.Reply;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who comes in, and who does not. */
class GateTest {

    private static EmbeddedPostgres server;
    private static Scene scene;
    private static Scene tokenless;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        scene = Scene.with(server, Scene.oneForEachRole());
        tokenless = Scene.with(server, Tokens.of(List.of()));
    }

    @AfterAll
    static void stop() {
        scene.close();
        tokenless.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/metrics, METRICS",
        "GET, /v1/overview, VIEWER",
        "GET, /v1/events, VIEWER",
        "GET, /v1/dead, VIEWER",
        "GET, /v1/audit, VIEWER",
        "GET, /v1/jobs, VIEWER",
        "GET, /v1/stream, VIEWER",
        "GET, /v1/openapi.json, VIEWER",
        "POST, /v1/dead/count, VIEWER",
        "GET, /v1/events/0199d3a0-0000-7000-8000-00000000beef/payload, OPERATOR",
        "POST, /v1/routes/nowhere/pause, OPERATOR",
        "POST, /v1/routes/nowhere/test, OPERATOR",
        "POST, /v1/consumers/nowhere/pause, OPERATOR",
        "POST, /v1/dead/redrive, OPERATOR",
        "POST, /v1/replays, OPERATOR",
        "POST, /v1/events, OPERATOR",
        "POST, /v1/jobs/0199d3a0-0000-7000-8000-00000000beef/stop, OPERATOR",
        "GET, /v1/registry, VIEWER",
        "GET, /v1/config, ADMIN",
        "POST, /v1/routes/nowhere/retire, ADMIN",
        "POST, /v1/prune, ADMIN"
    })
    void eachRoleMayDoWhatItIsForAndNothingAbove(String method, String path, Role lowest) {
        for (Role role : Role.values()) {
            int code = head(method, path, role);

            if (role.compareTo(lowest) < 0) {
                assertThat(code).as("%s %s as %s", method, path, role).isEqualTo(403);
            } else {
                assertThat(code).as("%s %s as %s", method, path, role).isNotIn(401, 403, 500);
            }
        }
        assertThat(scene.send(HttpRequest.newBuilder(scene.uri(path)).method(method, BodyPublishers.noBody()))
                        .code())
                .isEqualTo(401);
    }

    /** Of a stream only the head: it has no end. */
    private static int head(String method, String path, Role role) {
        return scene.send(scene.request(path, role)
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", UUID.randomUUID().toString())
                        .method(
                                method.equals("GET") ? "HEAD" : method,
                                method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString("{}")))
                .code();
    }

    @ParameterizedTest
    @CsvSource({
        "Authorization, Bearer viewer-token, 200",
        "authorization, bearer viewer-token, 200",
        "Authorization, Bearer viewer-tokem, 401",
        "Authorization, Bearer, 401",
        "Authorization, Basic viewer-token, 401",
        "Authorization, viewer-token, 401",
        "x-metrics-token, viewer-token, 403",
        "Cookie, token=viewer-token, 401"
    })
    void aTokenIsBroughtAsABearer(String header, String value, int code) {
        assertThat(scene.send(HttpRequest.newBuilder(scene.uri("/v1/session")).header(header, value))
                        .code())
                .isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({
        "x-metrics-token, metrics-token, 200",
        "Authorization, Bearer metrics-token, 200",
        "x-metrics-token, admin-token, 200",
        "x-metrics-token, metrics-tokem, 401",
        "x-other, metrics-token, 401"
    })
    void aScrapeNeedsAToken(String header, String value, int code) {
        Reply reply =
                scene.send(HttpRequest.newBuilder(scene.uri("/v1/metrics")).header(header, value));

        assertThat(reply.code()).isEqualTo(code);
        assertThat(reply.body().contains("some_thing_total 1.0")).isEqualTo(code == 200);
    }

    @Test
    void whoBringsNoTokenLearnsOnlyWhetherItIsWell() {
        HttpRequest.Builder plain = HttpRequest.newBuilder(scene.uri("/v1/health"));

        assertThat(scene.send(plain).body()).isEqualTo("{\"status\":\"ok\"}\n");
        assertThat(scene.get("/v1/health", Role.METRICS).body()).contains("findings");
    }

    /** A reverse proxy on this host looks like this host, whatever headers it adds or leaves out. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost:8025", "[::1]:8025", "console.example", ""})
    void withoutATokenThereIsHealthAndNothingElse(String host) throws IOException {
        for (Scene one : List.of(scene, tokenless)) {
            for (Endpoint endpoint : one.console.endpoints()) {
                String path = endpoint.path().replaceAll("\\{[^}]*}", "0199d3a0-0000-7000-8000-00000000beef");
                String sent = endpoint.method() + " " + path + " HTTP/1.1\r\nHost: " + host
                        + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

                assertThat(raw(one, sent))
                        .as(endpoint.method() + " " + path)
                        .startsWith("HTTP/1.1 " + (path.startsWith("/v1/health") ? 200 : 401));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "null", "http://127.0.0.1:1", "http://localhost"})
    void noPageOfAnotherOriginIsServed(String origin) {
        for (Scene one : List.of(scene, tokenless)) {
            Reply reply = one.send(one.request("/v1/routes/main/pause", Role.ADMIN)
                    .header("Origin", origin)
                    .header("Content-Type", "application/json")
                    .header("Idempotency-Key", "k")
                    .POST(BodyPublishers.ofString("{\"reason\": \"x\"}")));

            assertThat(reply.code()).isEqualTo(403);
            assertThat(reply.word()).isEqualTo("foreign-origin");
            assertThat(reply.headers().firstValue("Access-Control-Allow-Origin"))
                    .isEmpty();
        }
    }

    @Test
    void ourOwnPageIsServed() {
        assertThat(scene.send(scene.request("/v1/session", Role.VIEWER)
                                .header("Origin", "http://127.0.0.1:" + scene.desk.port()))
                        .code())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"})
    void onlyJsonChangesAnything(String type) {
        Reply reply = scene.send(scene.request("/v1/routes/main/pause", Role.ADMIN)
                .header("Content-Type", type)
                .header("Idempotency-Key", "k")
                .POST(BodyPublishers.ofString("{\"reason\": \"x\"}")));

        assertThat(reply.code()).isEqualTo(415);
    }

    @Test
    void aBodyThatNeverEndsIsRefusedEarly() throws IOException {
        String head = String.join(
                "\r\n",
                "POST /v1/routes/main/pause HTTP/1.1",
                "Host: 127.0.0.1",
                "Authorization: Bearer admin-token",
                "Content-Type: application/json",
                "Idempotency-Key: k",
                "Connection: close",
                "");
        assertThat(raw(scene, head + "Content-Length: 1073741824\r\n\r\n{")).startsWith("HTTP/1.1 413");

        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), scene.desk.port())) {
            socket.setSoTimeout(30_000);
            OutputStream out = socket.getOutputStream();
            out.write((head + "Transfer-Encoding: chunked\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            byte[] chunk = ("10000\r\n" + " ".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            long sent = 0;
            try {
                while (sent < 1L << 30) {
                    out.write(chunk);
                    sent += chunk.length;
                }
            } catch (IOException closed) {
                assertThat(sent).isLessThan(64L << 20);
                return;
            }
        }
        throw new AssertionError("all of it was taken");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1",
                "/v1/",
                "/metrics",
                "/v1/health/../metrics/x",
                "/assets/../Console.class",
                "/assets/..%2f..%2fconsole%2fConsole.class",
                "/assets/%2e%2e/Console.class",
                "/assets/index.html%00.js",
                "/assets/",
                "/assets/Console.class",
                "//etc/passwd",
                "/v1/events/../../etc/passwd"
            })
    void noPathLeadsOutOfThePage(String path) throws IOException {
        assertThat(
                        raw(
                                scene,
                                "GET " + path
                                        + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer admin-token\r\nConnection: close\r\n\r\n"))
                .matches("(?s)HTTP/1.1 40[04].*");
    }

    @Test
    void aMethodThatIsNotKnownIsToldWhichAre() {
        Reply reply = scene.send(scene.request("/v1/events", Role.ADMIN).DELETE());

        assertThat(reply.code()).isEqualTo(405);
        assertThat(reply.headers().firstValue("Allow")).contains("GET, POST");
        assertThat(scene.send(scene.request("/v1/health", Role.ADMIN).POST(BodyPublishers.ofString("x")))
                        .code())
                .isEqualTo(405);
    }

    @Test
    void whatAPayloadHoldsIsNeverRunByABrowser() {
        String id = scene.emit("orders", "a", "<script>alert(1)</script>", "<script>alert(1)</script>");

        for (String path : List.of("/v1/events/" + id + "/payload", "/v1/events/" + id, "/v1/nothing/%3Cscript%3E")) {
            Reply reply = scene.get(path);
            assertThat(reply.headers().firstValue("Content-Type")).contains("application/json");
            assertThat(reply.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(reply.headers().firstValue("X-Frame-Options")).contains("DENY");
            assertThat(reply.headers().firstValue("Referrer-Policy")).contains("no-referrer");
            assertThat(reply.headers().firstValue("Cache-Control")).contains("no-store");
            assertThat(reply.headers().firstValue("Content-Security-Policy").orElse(""))
                    .startsWith("default-src 'self'")
                    .doesNotContain("unsafe");
        }
    }

    @Test
    void anAddressThatIsTakenIsNamedWithItsKey() {
        assertThatThrownBy(() -> HttpDesk.open(
                        InetSocketAddress.createUnresolved("127.0.0.1", scene.desk.port()), scene.console))
                .hasMessageContaining("127.0.0.1:" + scene.desk.port())
                .hasMessageContaining("http.address");
    }

    @Test
    void whileTheDatabaseIsAwayHealthIsAnsweredAndTheRestSaysWhy() {
        try (Scene early = Scene.withoutDatabase(Scene.oneForEachRole())) {
            assertThat(early.get("/v1/health").code()).isEqualTo(200);
            assertThat(early.get("/v1/session").code()).isEqualTo(200);
            assertThat(early.get("/v1/overview").code()).isEqualTo(503);
            assertThat(early.get("/v1/events").word()).isEqualTo("no-database");
            assertThat(early.post("/v1/prune", "{\"reason\": \"x\"}").code()).isEqualTo(503);
        }
    }

    @Test
    @Tag("slow")
    void whoNeverEndsARequestKeepsNobodyElseFromAnAnswer() throws IOException {
        List<Socket> halves = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Socket half = new Socket(InetAddress.getLoopbackAddress(), scene.desk.port());
            half.getOutputStream().write("GET /v1/health HTTP/1.1\r\nHost: x\r\n".getBytes(StandardCharsets.US_ASCII));
            halves.add(half);
        }

        assertThat(scene.get("/v1/health/live").code()).isEqualTo(200);

        for (Socket half : halves) {
            half.close();
        }
    }

    private static String raw(Scene scene, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), scene.desk.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            return new String(in.readNBytes(12), StandardCharsets.US_ASCII);
        }
    }
}
