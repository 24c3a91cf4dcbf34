package dev.posthorn.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Route;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each answer has a bound, whatever is in the log. */
@Tag("slow")
@Timeout(300)
class BoundedAnswersTest {

    private static final int HUGE = 17_000_000;
    private static final int LETTERS = 600;
    private static final Set<String> ENDLESS = Set.of("/v1/stream");
    private static final Pattern NAME = Pattern.compile("\\{[^}]*}");

    private static EmbeddedPostgres server;
    private static Scene scene;
    private static String event;
    private static String letter;
    private static String replay;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        scene = Scene.with(server, Scene.oneForEachRole());
        for (String route : List.of("second", "third")) {
            new PostgresRoutes(scene.pool, Schema.DEFAULT)
                    .create(Route.named(route).fromBeginning());
        }
        event = scene.one(
                "INSERT INTO posthorn.outbox (domain, type, key, payload, headers) VALUES ('orders', 'order.placed',"
                        + " repeat('k', 1000), convert_to(repeat('0123456789abcdef', " + HUGE / 16 + "), 'UTF8'),"
                        + " jsonb_build_object('h', repeat('h', 32000))) RETURNING id");
        scene.run(
                "INSERT INTO posthorn.detour (route, lane, seq, kind, event_id, key, attempts, last_error) SELECT r.id, o.lane,"
                        + " o.seq, 'FAILED', o.id, o.key, 3, repeat('why ', 250000) FROM posthorn.outbox o, posthorn.route r");
        scene.run("INSERT INTO posthorn.attempt (route, seq, event_id, attempt, relay, outcome, error) SELECT 1, 1, '"
                + event + "', n, 'one', 'failed', repeat('why ', 5000) FROM generate_series(1, 2000) n");
        scene.run(
                "INSERT INTO posthorn.blocked_key (route, lane, key, \"from\", \"to\", passed, head, attempts, last_error, held)"
                        + " SELECT 1, 0, 'key-' || n, c, c, 0, 1, 3, repeat('why ', 50000), false FROM generate_series(1, 600) n,"
                        + " (SELECT ROW(pg_current_snapshot(), 0, NULL, NULL)::posthorn.log_cursor AS c) AS place");
        letter = letter(HUGE, 1_000_000);
        for (int i = 0; i < LETTERS; i++) {
            letter(100_000, 50_000);
        }
        scene.run(
                "INSERT INTO posthorn.operator_action (who, action, target, reason, rows) SELECT 'ann', 'pause', repeat('t', 1000),"
                        + " repeat('why ', 25000), 1 FROM generate_series(1, 600)");
        scene.run("INSERT INTO posthorn.operator_action (who, action, target, reason, rows) SELECT 'ann', 'redrive', '"
                + event + "', repeat('why ', 25000), 1 FROM generate_series(1, 600)");
        scene.run("SELECT posthorn.report_consumer(ROW('billing', 'member-' || n, NULL, NULL, 7, 1, 2, 3, 4.5, 9, 2.5,"
                + " repeat('slow ', 20000))::posthorn.consumer_member) FROM generate_series(1, 300) n");
        scene.run(
                "INSERT INTO posthorn.relay (route, name, outage, obstacle) SELECT 1, 'relay-' || n, repeat('down ', 20000),"
                        + " 'DESTINATION' FROM generate_series(1, 300) n");
        replay = scene.post("/v1/replays", "{\"reason\": \"" + "why ".repeat(900) + "\", \"route\": \"main\"}")
                .json()
                .path("id")
                .asText();
    }

    private static String letter(int body, int reason) {
        String id = UUID.randomUUID().toString();
        scene.run("SELECT posthorn.keep_letter(ROW('" + id + "', NULL, NULL, 'billing', '" + "bill-" + id
                + "', 'consumer', 'test', '" + event
                + "', 'parcels', 'parcel.lost', 'b', 'acme', 'rejected', repeat('why ', "
                + reason / 4 + "), jsonb_build_object('error', repeat('x', " + reason
                + ")), NULL, 'fix it', 3, NULL, NULL,"
                + " jsonb_build_object('h', repeat('h', " + reason + ")), convert_to(repeat('b', " + body
                + "), 'UTF8'),"
                + " jsonb_build_object('topic', repeat('t', " + reason
                + ")), clock_timestamp(), NULL)::posthorn.dead_letter)");
        return id;
    }

    @AfterAll
    static void stop() {
        scene.close();
        server.close();
    }

    @Test
    void noAnswerIsLongerThanItsBound() {
        Map<String, Integer> sizes = new TreeMap<>();
        List<String> failed = new ArrayList<>();
        for (Endpoint endpoint : scene.console.endpoints()) {
            if (ENDLESS.contains(endpoint.path()) || endpoint.manual().answer().equals(Endpoint.DOWNLOAD)) {
                continue;
            }
            for (String path : paths(endpoint)) {
                Scene.Reply reply = endpoint.isChange() ? scene.post(path, body(endpoint)) : scene.get(path);
                sizes.put(endpoint.method() + " " + path, reply.body().length());
                if (reply.code() >= 500) {
                    failed.add(path + ": " + reply.code() + " " + reply.body());
                }
            }
        }

        assertThat(sizes)
                .hasSizeGreaterThan(30)
                .allSatisfy((path, size) -> assertThat(size).as(path).isLessThanOrEqualTo(BoundedJson.MOST_BYTES));
        assertThat(failed).isEmpty();
    }

    /** With everything in its place that there is, and as many of it as may be asked for. */
    private static List<String> paths(Endpoint endpoint) {
        List<String> paths = new ArrayList<>();
        for (String value : List.of(event, letter, replay, "main", "k".repeat(1000))) {
            String path = NAME.matcher(endpoint.path()).replaceAll(value);
            paths.add(endpoint.isChange() ? path : path + "?limit=500&key=" + "k".repeat(1000));
            if (!endpoint.isChange()) {
                paths.add(path + "?limit=500");
            }
        }
        return paths.stream().distinct().toList();
    }

    private static String body(Endpoint endpoint) {
        return endpoint.path().startsWith("/v1/dead/count")
                ? "{\"filter\": {}}"
                : "{\"reason\": \"x\", \"dry_run\": true, \"filter\": {}}";
    }

    @Test
    void aPreviewSaysHowMuchThereIsAndTheWholeIsADownload() throws Exception {
        var shown = scene.get("/v1/dead/" + letter).json().path("dead").get(0);

        assertThat(shown.path("body_size").asInt()).isEqualTo(HUGE);
        assertThat(shown.path("body_truncated").asBoolean()).isTrue();
        assertThat(scene.get("/v1/events/" + event + "/payload")
                        .json()
                        .path("truncated")
                        .asBoolean())
                .isTrue();
        assertThat(length("/v1/dead/" + letter + "/body", Role.OPERATOR)).isEqualTo(HUGE);
        assertThat(length("/v1/events/" + event + "/payload/file", Role.OPERATOR))
                .isEqualTo(HUGE);
        assertThat(scene.get("/v1/dead/" + letter + "/body", Role.VIEWER).code())
                .isEqualTo(403);
        assertThat(scene.get("/v1/events/" + event + "/payload/file", Role.VIEWER)
                        .code())
                .isEqualTo(403);
        assertThat(scene.get("/v1/dead/" + UUID.randomUUID() + "/body").code()).isEqualTo(404);
    }

    private static long length(String path, Role role) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer =
                scene.client().send(scene.request(path, role).build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/octet-stream");
        assertThat(answer.headers().firstValue("Content-Disposition").orElse(""))
                .startsWith("attachment");
        try (InputStream in = answer.body()) {
            return in.transferTo(java.io.OutputStream.nullOutputStream());
        }
    }
}
