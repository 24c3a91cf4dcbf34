package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.Schema;
import dev.posthorn.server.Main;
import dev.posthorn.testkit.Await;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** A relay process with a small heap and many routes, whose log has events of every size that anybody could write. */
@Tag("slow")
@Timeout(900)
class HeapBoundedTest {

    private static final int ROUTES = 8;
    private static final int CONTROL = Size.of(500, 1_000, 20_000);
    private static final int HOSTILE = Size.of(20, 40, 400);
    private static final Duration PATIENCE = Duration.ofMinutes(Size.of(4, 4, 14));
    private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");

    private final PGSimpleDataSource database = new PGSimpleDataSource();
    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void eightRoutesPublishEventsOfEverySizeWithin256Megabytes(@TempDir Path folder) throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder().unsafeFast().start()) {
            // Given
            String url = server.createDatabase("heap");
            database.setUrl(url);
            new Migrations(Schema.DEFAULT).migrate(database);
            hostileEvents();
            controlEvents("before");
            int port = freePort();
            Path config = configuration(folder, url, port);

            // When
            List<Double> used = new ArrayList<>();
            try (JavaProcess relay = JavaProcess.start(
                    folder.resolve("relay.log"),
                    "-Xmx256m",
                    Main.class.getName(),
                    List.of("relay", "--config", config.toString()),
                    Map.of("JAVA_TOOL_OPTIONS", "-XX:+ExitOnOutOfMemoryError"))) {
                relay.readLine();
                controlEvents("meanwhile");
                Await.within(PATIENCE, () -> "everything is published: " + undone() + "\n" + end(relay.log()), () -> {
                    used.add(metric(port, "posthorn_memory_used_bytes"));
                    return relay.isAlive() && undone().isEmpty();
                });

                // Then
                assertThat(relay.isAlive()).isTrue();
                double limit = metric(port, "posthorn_memory_limit_bytes");
                System.out.printf(
                        "heap: %d events on %d routes, at most %.1f of %.1f MB used%n",
                        Integer.parseInt(
                                rows("SELECT count(*) FROM posthorn.outbox").get(0)),
                        ROUTES,
                        used.stream().mapToDouble(Double::doubleValue).max().orElse(0) / 1e6,
                        limit / 1e6);
                assertThat(used).allMatch(bytes -> bytes <= limit);
                assertThat(health(port)).contains("\"ok\"");
                relay.terminate();
                assertThat(relay.awaitExit(Duration.ofSeconds(60))).isZero();
            }
            assertEveryRouteHasEverything(folder);
        }
    }

    /** Events that keep the limits, and such as only somebody can write who bypasses them. */
    private void hostileEvents() throws SQLException {
        run(
                "INSERT INTO posthorn.outbox (domain, type, key, payload) SELECT 'shop', 'large.payload', 'large-' || i % 7,"
                        + " convert_to(repeat('x', 3000000), 'UTF8') FROM generate_series(1, " + HOSTILE / 4
                        + ") AS i");
        run("INSERT INTO posthorn.outbox (domain, type, key, payload) SELECT 'shop', 'medium.payload', 'medium-' || i,"
                + " convert_to(repeat('y', 16000), 'UTF8') FROM generate_series(1, " + HOSTILE * 20 + ") AS i");
        run(
                "INSERT INTO posthorn.outbox (domain, type, key, headers, tenant, correlation_id) SELECT 'shop', 'large.headers',"
                        + " 'headers-' || i % 11, jsonb_build_object('h', repeat('ß', 30000)), repeat('😀', 1000), repeat('😀', 1000)"
                        + " FROM generate_series(1, " + HOSTILE + ") AS i");
        String bypass =
                "SET session_replication_role = replica; INSERT INTO posthorn.outbox (lane, id, domain, type, key, %s)"
                        + " SELECT posthorn.lane_of(e.key, e.id), e.id, 'shop', 'bypass', e.key, %s FROM"
                        + " (SELECT gen_random_uuid() AS id, '%s-' || i %% 5 AS key FROM generate_series(1, %d) AS i) AS e";
        run(String.format(bypass, "headers", "jsonb_build_object('h', repeat('z', 1000000))", "mega", HOSTILE / 2));
        run(String.format(bypass, "correlation_id", "repeat('c', 5000000)", "id", 2));
        run(String.format(bypass, "correlation_id", "repeat('c', 200000000)", "beyond", 1));
    }

    private void controlEvents(String type) throws SQLException {
        run("INSERT INTO posthorn.outbox (domain, type, key, payload) SELECT 'shop', 'control." + type
                + "', 'c-' || i % 50," + " convert_to('{\"n\":' || i || '}', 'UTF8') FROM generate_series(1, " + CONTROL
                + ") AS i");
    }

    /** Events that are neither published, nor refused because they break the limits, nor too large for this relay. */
    private List<String> undone() {
        return rows("SELECT route, type, state, count(*), min(last_error) FROM posthorn.outbox_status"
                + " WHERE state <> 'SENT' AND NOT (state = 'FAILED' AND key LIKE 'beyond-%'"
                + " AND last_error LIKE 'the event is 190 MB, and a relay with this memory budget publishes up to 1_ MB. Raise%')"
                + " AND NOT (state = 'FAILED' AND type = 'bypass' AND last_error LIKE '%it is not a valid event: %')"
                + " GROUP BY 1, 2, 3 ORDER BY 1, 2, 3");
    }

    private void assertEveryRouteHasEverything(Path folder) throws IOException {
        Set<String> expected = new HashSet<>(rows("SELECT id FROM posthorn.outbox WHERE type <> 'bypass'"));
        for (int route = 0; route < ROUTES; route++) {
            Set<String> published = new HashSet<>();
            try (Stream<String> lines = Files.lines(folder.resolve("route-" + route + ".jsonl"))) {
                lines.forEach(line -> {
                    Matcher id = ID.matcher(line);
                    assertThat(id.find()).isTrue();
                    published.add(id.group(1));
                });
            }
            assertThat(published).as("route " + route).isEqualTo(expected);
        }
        assertThat(rows("SELECT count(*) FROM posthorn.detour WHERE kind = 'FAILED'"))
                .containsExactly(Integer.toString(ROUTES * (HOSTILE / 2 + 3)));
    }

    private static Path configuration(Path folder, String url, int port) throws IOException {
        StringBuilder yaml = new StringBuilder("database: {url: \"" + url + "\"}\nhttp: {address: \"127.0.0.1:" + port
                + "\", public-metrics: true}\ntransports:\n");
        IntStream.range(0, ROUTES)
                .forEach(i -> yaml.append(
                        "  file-" + i + ": {address: \"file:" + folder.resolve("route-" + i + ".jsonl") + "\"}\n"));
        yaml.append("routes:\n");
        IntStream.range(0, ROUTES)
                .forEach(i -> yaml.append("  route-" + i + ": {transport: file-" + i + ", start: beginning}\n"));
        return Files.writeString(folder.resolve("posthorn.yaml"), yaml);
    }

    private double metric(int port, String name) {
        return get(port, "/v1/metrics")
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    private String health(int port) {
        return get(port, "/v1/health");
    }

    private String get(int port, String path) {
        try {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                    .timeout(Duration.ofSeconds(20))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String end(String log) {
        return log.substring(Math.max(0, log.length() - 3_000));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> rows(String sql) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= columns; i++) {
                    row.append(i > 1 ? "|" : "").append(result.getString(i));
                }
                rows.add(row.toString());
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
