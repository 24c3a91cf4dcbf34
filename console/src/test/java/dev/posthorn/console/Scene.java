package dev.posthorn.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.operations.Health;
import dev.posthorn.operations.Look;
import dev.posthorn.postgres.InboxRetention;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Route;
import dev.posthorn.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A console on a database of its own, with a token for each role; asked over HTTP. */
final class Scene implements AutoCloseable {

    static final Duration MINUTE = Duration.ofMinutes(1);
    private static final ObjectNode REGISTRY = registry();
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final AtomicInteger DATABASES = new AtomicInteger();

    final HikariDataSource pool = new HikariDataSource();
    final Health health = new Health(Clock.systemUTC(), new Health.Limits(MINUTE, MINUTE, MINUTE, Optional.empty()));
    final Console console;
    final HttpDesk desk;
    private final HttpClient client = HttpClient.newHttpClient();

    /** What came back. */
    record Reply(int code, String body, java.net.http.HttpHeaders headers) {

        JsonNode json() {
            try {
                return MAPPER.readTree(body);
            } catch (IOException invalid) {
                throw new UncheckedIOException(body, invalid);
            }
        }

        String word() {
            return json().path("code").asText();
        }
    }

    /** A token is its role's name and a few letters more. */
    static String token(Role role) {
        return role.word() + "-token";
    }

    static Tokens oneForEachRole() {
        return Tokens.of(Arrays.stream(Role.values())
                .map(role -> new Tokens.Token(role.word() + "-ann", role, Tokens.hashOf(token(role))))
                .toList());
    }

    static Scene with(EmbeddedPostgres server, Tokens tokens) {
        return with(server, tokens, Disclosure.WHOLE);
    }

    /** One that shows so much to who is no admin. */
    static Scene with(EmbeddedPostgres server, Tokens tokens, Disclosure disclosure) {
        Scene scene = new Scene(tokens, disclosure);
        scene.pool.setJdbcUrl(server.createDatabase("console_" + DATABASES.incrementAndGet()));
        scene.pool.setMaximumPoolSize(6);
        scene.pool.setConnectionTimeout(2_000);
        new Migrations(Schema.DEFAULT).migrate(scene.pool);
        new PostgresRoutes(scene.pool, Schema.DEFAULT)
                .create(Route.named("main").fromBeginning());
        scene.console.open(scene.pool, Schema.DEFAULT);
        return scene;
    }

    /** One that waits for its database. */
    static Scene withoutDatabase(Tokens tokens) {
        return new Scene(tokens, Disclosure.WHOLE);
    }

    private static ObjectNode registry() {
        ObjectNode json = Json.object().put("mode", "strict");
        json.putArray("types")
                .addObject()
                .put("domain", "orders")
                .put("type", "order.placed")
                .put("version", 1)
                .put("aggregate_type", "order")
                .put("contract", "any")
                .putNull("retry")
                .putNull("mode");
        return json;
    }

    private Scene(Tokens tokens, Disclosure disclosure) {
        Retention retention = new Retention(Duration.ofDays(30), null, InboxRetention.standard(), Duration.ZERO);
        console = new Console(new ConsoleSetup(
                tokens,
                health::report,
                () -> "some_thing_total 1.0\n",
                new ConsoleSetup.ProcessFacts(
                        "1.2.3",
                        () -> Json.object().put("valid", true),
                        retention,
                        Optional.empty(),
                        Optional.of(REGISTRY),
                        disclosure,
                        retention::tell)));
        desk = HttpDesk.open(InetSocketAddress.createUnresolved("127.0.0.1", 0), console);
        health.looked(new Look(Instant.now(), Optional.empty(), Map.of(), Map.of()));
    }

    @Override
    public void close() {
        desk.close();
        console.close();
        pool.close();
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + desk.port() + path);
    }

    HttpRequest.Builder request(String path, Role role) {
        return HttpRequest.newBuilder(uri(path))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer " + token(role));
    }

    Reply send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Reply(answer.statusCode(), answer.body(), answer.headers());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    HttpClient client() {
        return client;
    }

    Reply get(String path) {
        return get(path, Role.ADMIN);
    }

    /** The overview of a look that began after this call: one that is under way may have seen half of what a test did. */
    JsonNode overviewFromNow() {
        Instant asked = Instant.now();
        Await.until(
                "the console looks again",
                () -> Instant.parse(get("/v1/overview").json().path("at").asText())
                        .isAfter(asked));
        return get("/v1/overview").json();
    }

    Reply get(String path, Role role) {
        return send(request(path, role));
    }

    Reply post(String path, String body) {
        return post(path, body, Role.ADMIN, UUID.randomUUID().toString());
    }

    Reply post(String path, String body, Role role, String key) {
        return send(request(path, role)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    void run(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    List<String> rows(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    String one(String sql) {
        return rows(sql).get(0);
    }

    /** The id of a new event. */
    String emit(String domain, String type, String key, String payload) {
        return one("SELECT posthorn.emit('" + domain + "', '" + type + "', '" + payload + "'::text, '" + key + "')");
    }

    /** An event that is dead on route main. */
    String dieOnRoute(String key, String why) {
        String id = one(
                "INSERT INTO posthorn.outbox (domain, type, key, payload, headers) VALUES ('orders', 'order.placed', '"
                        + key + "', 'secret', '{\"h\": \"hidden\"}') RETURNING id");
        run("INSERT INTO posthorn.detour (route, lane, seq, kind, event_id, key, attempts, last_error)"
                + " SELECT 1, lane, seq, 'FAILED', id, key, 3, '" + why + "' FROM posthorn.outbox WHERE id = '" + id
                + "'");
        return id;
    }

    /** A letter that is dead in consumer billing. */
    String dieInConsumer(String why) {
        String id = UUID.randomUUID().toString();
        run("SELECT posthorn.keep_letter(ROW('" + id + "', NULL, NULL, 'billing', 'bill', 'consumer', 'test',"
                + " gen_random_uuid(), 'parcels', 'parcel.lost', 'b', 'acme', 'rejected', '" + why
                + "', '{\"error\": \"x\"}', NULL, 'mend it', 3, NULL, NULL, '{\"h\": \"hidden\"}', 'secret', '{\"topic\": \"t\"}',"
                + " clock_timestamp(), NULL)::posthorn.dead_letter)");
        return id;
    }

    void memberOfBilling() {
        run("SELECT posthorn.report_consumer(ROW('billing', 'one', NULL, NULL, 7, 1, 2, 3, 4.5, 9, 2.5,"
                + " 'the ledger is slow')::posthorn.consumer_member)");
    }
}
