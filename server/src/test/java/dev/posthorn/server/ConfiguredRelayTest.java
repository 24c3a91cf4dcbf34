package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.console.Json;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.embeddedpostgres.StopMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Relay processes that run what a file says. */
@Tag("slow")
@Timeout(300)
class ConfiguredRelayTest {

    private final EmbeddedPostgres server =
            EmbeddedPostgres.builder().unsafeFast().start();
    private final String url = server.createDatabase("shop");

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void twoProcessesShareTheRoutesAndOneTakesOverFromTheOther() throws Exception {
        Path config = config("""
                transports:
                  first: {address: 'file:%1$s/first'}
                  second: {address: 'file:%1$s/second'}
                routes:
                  all: {transport: first, start: beginning}
                  orders: {transport: second, domains: [orders], start: beginning}
                """.formatted(folder));
        try (StartedRelay one = new StartedRelay(config, "--name=one").untilStarted(2);
                StartedRelay other = new StartedRelay(config, "--name=other").untilStarted(2)) {
            one.await("half of the lanes each", () -> lanes("one") == 16 && lanes("other") == 16);
            emit("orders", 50);
            emit("stock", 30);
            one.await("all is published", () -> lines("first") == 80 && lines("second") == 50);

            other.kill();
            emit("orders", 20);
            one.await("what came after the crash", () -> ids("first") == 100 && ids("second") == 70);

            assertThat(one.metric("posthorn_relay_lanes{route=\"orders\"}")).isEqualTo(16);
            assertThat(one.metric("posthorn_takeovers_total{route=\"orders\"}")).isGreaterThanOrEqualTo(16);
            assertThat(one.stop()).isZero();
            assertThat(one.out().stream().filter(line -> line.contains("\"event\":\"stopped\"")))
                    .hasSize(2);
            assertThat(lanes("one")).isZero();
        }
    }

    @Test
    void aRowThatBreaksTheRegistryIsFailedAndTheOthersTravelInTheirEnvelope() throws Exception {
        Files.writeString(folder.resolve("types.yaml"), "types: [{domain: orders, type: order.placed}]");
        Path config = config("""
                transports: {out: {address: 'file:%1$s/out'}}
                routes: {all: {transport: out, start: beginning, envelope: aggregate}}
                registry: {file: '%1$s/types.yaml'}
                """.formatted(folder));
        try (StartedRelay relay = new StartedRelay(config).untilStarted(1)) {
            for (String type : new String[] {"order.eaten", "order.placed"}) {
                run("INSERT INTO posthorn.outbox (id, domain, type, aggregate_type, aggregate_id, payload) VALUES"
                        + " (gen_random_uuid(), 'orders', '" + type + "', 'order', '77', '{}')");
            }

            relay.await("one of them is published", () -> lines("out") == 1);
            relay.await(
                    "the other is FAILED",
                    () -> number("SELECT count(*) FROM posthorn.dead WHERE reason LIKE"
                                    + " 'registry: type \"order.eaten\" is not in the registry%' AND attempts = 1")
                            == 1);

            assertThat(Files.readString(folder.resolve("out")))
                    .contains("event_id", "order.placed")
                    .doesNotContain("order.eaten");
        }
    }

    @Test
    void aScrapeShowsWhatTheDatabaseHoldsByTheNamesOfTheDesigns() throws Exception {
        Path config = config("""
                transports: {out: {address: 'file:%s/out'}}
                routes: {all: {transport: out, start: beginning}}
                """.formatted(folder));
        try (StartedRelay relay = new StartedRelay(config).untilStarted(1)) {
            emit("orders", 10);
            relay.await("all is published", () -> lines("out") == 10);
            run("SELECT posthorn.pause_route('all', 'a test')");
            relay.await(
                    "the pause is seen", () -> relay.health().path("degraded").asBoolean());
            emit("orders", 7);
            run("INSERT INTO posthorn.detour (route, lane, seq, kind, event_id, attempts)"
                    + " SELECT 1, lane, seq, 'FAILED', id, 3 FROM posthorn.outbox ORDER BY seq LIMIT 2");
            run("INSERT INTO posthorn.consumer_member (consumer, member, handled, skipped, retried, dead, lag_p50_ms,"
                    + " lag_p99_ms, handler_p99_ms) VALUES ('billing', 'elsewhere', 100, 4, 0, 0, 1, 2500, 1)");
            run("INSERT INTO posthorn.replay (target_kind, target, snapshot, state, \"end\", done, \"of\")"
                    + " VALUES ('route', 'all', pg_current_snapshot(), 'FAILED', 9, 3, 9)");

            relay.await("the next look", () -> relay.metric("event_outbox_backlog{route=\"all\"}") == 7);

            assertThat(relay.metric("event_outbox_backlog{route=\"all\"}"))
                    .isEqualTo(number("SELECT count(*) FROM posthorn.outbox_status WHERE state = 'PENDING'"));
            assertThat(relay.metric("event_outbox_backlog_estimated{route=\"all\"}"))
                    .isZero();
            relay.await("dead letters", () -> relay.metric("dead_letter_count{name=\"all\",station=\"route\"}") == 2);
            assertThat(relay.metric("event_max_attempts_count{route=\"all\"}")).isEqualTo(2);
            assertThat(relay.metric("event_publish_lag_seconds{route=\"all\"}"))
                    .isBetween(
                            0.0,
                            number("SELECT extract(epoch FROM clock_timestamp() - min(created_at)) + 1"
                                    + " FROM posthorn.outbox_status WHERE state = 'PENDING'"));
            relay.await(
                    "a consumer of another process",
                    () -> relay.metric("event_consumer_lag_seconds{consumer=\"billing\"}") == 2.5);
            assertThat(relay.metric("event_inbox_duplicates{consumer=\"billing\"}"))
                    .isEqualTo(4);
            assertThat(relay.metric("posthorn_lanes_held{route=\"all\"}")).isEqualTo(16);
            assertThat(relay.metric("posthorn_database_up")).isEqualTo(1);
            assertThat(relay.metric("event_publish_attempts_total{route=\"all\"}"))
                    .isEqualTo(10);
            assertThat(relay.metric("event_publish_duration_seconds_count{outcome=\"accepted\",route=\"all\"}"))
                    .isEqualTo(10);
            JsonNode publisher = relay.health().path("publisher");
            assertThat(publisher.path("enabled").asBoolean()).isTrue();
            assertThat(publisher.path("last_publish_at").asText()).startsWith("20");
            assertThat(publisher.path("counts").path("published").asInt()).isEqualTo(10);
            relay.await(
                    "a replay",
                    () -> relay.metric("posthorn_replay_events_remaining{kind=\"route\",target=\"all\"}") == 6);
            String scrape = relay.get("/v1/metrics").body();
            assertThat(scrape).doesNotContain("order-");
            DeploymentTest.namedMetrics()
                    .forEach((page, names) -> assertThat(names)
                            .as("metrics named in %s", page)
                            .allSatisfy(name -> assertThat(scrape).containsPattern("(?m)^(# TYPE )?" + name + "[ {]")));
        }
    }

    @Test
    void withoutItsBrokerItIsDegradedWithoutItsDatabaseUnreadyAndBothHealByThemselves() throws Exception {
        try (EmbeddedPostgres broker = EmbeddedPostgres.builder().unsafeFast().start()) {
            String destination = broker.createDatabase("elsewhere");
            assertThat(Cli.run("schema", "migrate", "--database-url", destination)
                            .code())
                    .isZero();
            Path config = config("""
                    transports: {log: {address: '%s'}}
                    routes: {all: {transport: log, start: beginning}}
                    """.formatted(destination));
            try (StartedRelay relay = new StartedRelay(config).untilStarted(1)) {
                relay.await("well", () -> relay.health().path("status").asText().equals("ok"));

                broker.kill();
                emit("orders", 3);
                relay.await(
                        "degraded", () -> relay.health().path("status").asText().equals("degraded"));
                assertThat(relay.get("/v1/health/ready").statusCode()).isEqualTo(200);
                assertThat(relay.health().path("publisher").path("connected").asBoolean(true))
                        .isFalse();
                assertThat(relay.health().path("publisher").path("last_error").asText())
                        .isNotEmpty();
                assertThat(relay.metric("posthorn_breaker_open{route=\"all\"}")).isEqualTo(1);
                broker.restart(StopMode.IMMEDIATE);
                relay.await(
                        "well again",
                        () -> relay.health().path("status").asText().equals("ok"));
                relay.await("published", () -> relay.metric("event_outbox_backlog{route=\"all\"}") == 0);

                server.kill();
                relay.await("unready", () -> relay.get("/v1/health/ready").statusCode() == 503);
                assertThat(relay.get("/v1/health/live").statusCode()).isEqualTo(200);
                assertThat(relay.metric("posthorn_database_up")).isZero();
                server.restart(StopMode.IMMEDIATE);
                relay.await("ready again", () -> relay.get("/v1/health/ready").statusCode() == 200);
                emit("orders", 2);
                relay.await("published again", () -> count(destination) == 5);
                assertThat(relay.stop()).isZero();
            }
        }
    }

    @Test
    void whatIsNotEncryptedIsRefusedWhereThatIsRequired() throws Exception {
        Path config = config("""
                transports: {file: {address: 'file:%s/out'}}
                routes: {all: {transport: file, start: beginning}}
                encryption: {required: true}
                tracing: {enabled: true}
                metrics: {tenants: [acme]}
                """.formatted(folder));
        try (StartedRelay relay = new StartedRelay(config).untilStarted(1)) {
            run("INSERT INTO posthorn.outbox (domain, type, tenant, content_type, payload) VALUES"
                    + " ('orders', 'placed', 'acme', 'application/json', '{\"name\":\"Ada\"}'),"
                    + " ('orders', 'placed', 'acme', 'application/vnd.posthorn.encrypted', '\\x0102')");
            relay.await("the encrypted one", () -> lines("out") == 1);
            relay.await(
                    "the other is dead",
                    () -> number("SELECT count(*) FROM posthorn.outbox_status WHERE state = 'FAILED'"
                                    + " AND last_error LIKE '%payload is not encrypted%' AND attempts = 1")
                            == 1);

            assertThat(Files.readString(folder.resolve("out"))).doesNotContain("Ada");
            assertThat(relay.metric("posthorn_tenant_publish_lag_seconds_count{route=\"all\",tenant=\"acme\"}"))
                    .isEqualTo(1);
            assertThat(relay.stop()).isZero();
        }
    }

    @Test
    void aRowThatIsTooLargeForTheWayTravelsAsAReference() throws Exception {
        Files.createDirectory(folder.resolve("payloads"));
        Path config = config("""
                transports: {out: {address: 'file:%1$s/out'}}
                routes: {all: {transport: out, start: beginning}}
                claim-check: {store: 'file:%1$s/payloads', threshold: 2000}
                """.formatted(folder));
        try (StartedRelay relay = new StartedRelay(config).untilStarted(1)) {
            run("INSERT INTO posthorn.outbox (domain, type, content_type, payload) VALUES"
                    + " ('orders', 'small', 'text/plain', 'marker-of-the-small'),"
                    + " ('orders', 'large', 'text/plain', convert_to(repeat('marker-of-the-large ', 500), 'UTF8'))");
            relay.await("both", () -> lines("out") == 2);

            assertThat(Files.readString(folder.resolve("out")))
                    .contains("application/vnd.posthorn.claim+json")
                    .doesNotContain("marker-of-the-large");
            assertThat(number("SELECT count(*) FROM posthorn.payload_reference"))
                    .isEqualTo(1);
            try (Stream<Path> files = Files.walk(folder.resolve("payloads"))) {
                assertThat(files.filter(Files::isRegularFile))
                        .singleElement()
                        .satisfies(file -> assertThat(Files.readString(file))
                                .startsWith("marker-of-the-large ")
                                .hasSize(10_000));
            }
            assertThat(relay.stop()).isZero();
        }
    }

    @Test
    void whoEmittedBeforeTheRouteWasMadeIsToldThatItDoesNotPublishThat() throws Exception {
        assertThat(Cli.run("schema", "migrate", "--database-url=" + url).code()).isZero();
        emit("orders", 1);
        Path config = config("""
                transports: {out: {address: 'file:%1$s/out'}}
                routes: {late: {transport: out, start: now}, whole: {transport: out}}
                """.formatted(folder));
        try (StartedRelay relay = new StartedRelay(config).untilStarted(2)) {
            assertThat(relay.err())
                    .filteredOn(line -> line.contains("starts at now, and there are events in the log already"))
                    .singleElement()
                    .asString()
                    .contains("Route late", "start a replay into it");
        }
    }

    @Test
    void withoutConfiguredTokensItPrintsALinkAndItsUserNeedsNoTokenForCommands() throws Exception {
        Path config = config("""
                transports: {out: {address: 'file:%1$s/out'}}
                routes: {all: {transport: out}}
                """.formatted(folder));
        String home = System.getProperty("user.home");
        try (StartedRelay relay = new StartedRelay(config).untilStarted(1)) {
            String place = "http://127.0.0.1:" + relay.port();
            Path file = folder.resolve(".posthorn").resolve("console-" + relay.port() + ".token");
            assertThat(relay.get("/v1/status", Optional.empty()).statusCode()).isEqualTo(401);
            assertThat(relay.get("/v1/metrics", Optional.empty()).statusCode()).isEqualTo(401);
            assertThat(relay.get("/v1/status").statusCode()).isEqualTo(200);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(Cli.run("healthcheck", "--url", place).code()).isZero();
            assertThat(Cli.run("status", "--url", place).err()).contains("POSTHORN_TOKEN");

            System.setProperty("user.home", folder.toString());
            assertThat(Cli.run("status", "--url", place).code()).isZero();

            assertThat(relay.stop()).isZero();
            assertThat(file).doesNotExist();
        } finally {
            System.setProperty("user.home", home);
        }
    }

    @Test
    void publicMetricsNeedNoTokenAndTheRestDoes() throws Exception {
        Path config = Files.writeString(
                folder.resolve("posthorn.yaml"),
                "database: {url: '" + url + "'}\nhttp: {address: '127.0.0.1:0', public-metrics: true}\n"
                        + "transports: {out: {address: 'file:" + folder + "/out'}}\nroutes: {all: {transport: out}}\n");
        try (StartedRelay relay = new StartedRelay(config).untilStarted(1)) {
            assertThat(relay.get("/v1/metrics", Optional.empty()).statusCode()).isEqualTo(200);
            assertThat(relay.get("/v1/status", Optional.empty()).statusCode()).isEqualTo(401);
        }
    }

    private Path config(String rest) throws IOException {
        return Files.writeString(
                folder.resolve("posthorn.yaml"),
                "database: {url: '" + url + "'}\nrelay: {lease-ttl: 2s}\n"
                        + "http: {address: '127.0.0.1:0', figures-every: 1s}\n" + rest);
    }

    private void emit(String domain, int events) throws SQLException {
        run("SELECT posthorn.emit('" + domain + "', 'placed', '{}', 'order-' || n) FROM generate_series(1, " + events
                + ") n");
    }

    private long lanes(String relay) {
        return (long)
                number("SELECT count(*) FROM posthorn.lease WHERE owner = '" + relay + "' AND expires_at > now()");
    }

    private long lines(String file) {
        try {
            return Files.exists(folder.resolve(file))
                    ? Files.readAllLines(folder.resolve(file)).size()
                    : 0;
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    /** What a crash published twice counts once. */
    private long ids(String file) {
        try {
            return Files.readAllLines(folder.resolve(file)).stream()
                    .map(line -> Json.text(line, "id").orElseThrow())
                    .distinct()
                    .count();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    private long count(String database) {
        return (long) number(database, "SELECT count(*) FROM posthorn.outbox");
    }

    private double number(String sql) {
        return number(url, sql);
    }

    private static double number(String database, String sql) {
        try (Connection connection = DriverManager.getConnection(database);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getDouble(1);
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
