package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import io.lettuce.core.RedisClient;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Relay processes whose destination is misspelled, disappears, or has no subscriber. */
@Tag("slow")
@Timeout(300)
class RelayDestinationsTest {

    private static EmbeddedPostgres server;
    private static EmbeddedRedis redis;
    private static RedisClient client;

    @TempDir
    private Path folder;

    private String url = "";
    private RedisCommands<String, String> broker;

    @BeforeAll
    static void start() {
        Assumptions.assumeTrue(EmbeddedRedis.isInstalled(), "redis-server is not installed on this machine");
        server = EmbeddedPostgres.builder().unsafeFast().start();
        redis = EmbeddedRedis.start();
        client = RedisClient.create("redis://" + redis.host() + ":" + redis.port());
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            client.shutdown();
            redis.close();
            server.close();
        }
    }

    @BeforeEach
    void createDatabase() {
        url = server.createDatabase("shop_" + System.nanoTime());
        broker = client.connect().sync();
        broker.flushall();
    }

    @Test
    void aMisspelledPrefixIsRefusedUntilItIsConfirmedByTheCommandThatTheRefusalNames() throws Exception {
        try (StartedRelay relay = new StartedRelay(config("shop", "create")).untilStarted(1)) {
            emit(1);
            relay.await("published", () -> streams("shop") == 1);
            relay.stop();
        }
        emit(1);
        String to = "redis://" + redis.host() + ":" + redis.port() + ", prefix shpo";
        try (StartedRelay misspelled = new StartedRelay(config("shpo", "create"))) {
            assertThat(misspelled.awaitEnd()).isEqualTo(1);
            assertThat(String.join("\n", misspelled.err()))
                    .contains("prefix shop until now", to)
                    .contains("posthorn routes redirect main --to \"" + to + "\"", "--confirm-destination");
        }
        assertThat(streams("shpo")).isZero();

        Cli confirmed =
                Cli.run("routes", "redirect", "main", "--database-url", url, "--to", to, "--reason", "a new name");

        assertThat(confirmed.code()).as(confirmed.err()).isZero();
        try (StartedRelay relay = new StartedRelay(config("shpo", "create")).untilStarted(1)) {
            relay.await("published", () -> streams("shpo") == 1);
        }
        assertThat(Cli.run("audit", "--database-url", url).out()).contains("redirect", "a new name");
    }

    @Test
    void aFlagConfirmsAChangeForOneStart() throws Exception {
        try (StartedRelay first = new StartedRelay(config("shop", "create")).untilStarted(1)) {
            first.stop();
        }

        try (StartedRelay relay =
                new StartedRelay(config("store", "create"), "--confirm-destination").untilStarted(1)) {
            emit(1);
            relay.await("published", () -> streams("store") == 1);
        }

        try (StartedRelay before = new StartedRelay(config("shop", "create"))) {
            assertThat(before.awaitEnd()).isEqualTo(1);
        }
    }

    @Test
    void aDestinationThatDisappearsIsNamedAndCreatedOnlyOnDemand() throws Exception {
        try (StartedRelay relay = new StartedRelay(config("shop", "create")).untilStarted(1)) {
            emit(1);
            relay.await("published", () -> streams("shop") == 1);
            String stream = broker.keys("shop-events-*").get(0);
            relay.await("registered", () -> number("SELECT count(*) FROM posthorn.destination") == 1);

            broker.del(stream);
            emit(1);

            relay.await(
                    "named in health",
                    () -> relay.health().toString().contains("posthorn destinations create " + stream));
            relay.await(
                    "recorded",
                    () -> number("SELECT count(*) FROM posthorn.destination WHERE missing_since" + " IS NOT NULL")
                            == 1);
            assertThat(broker.exists(stream)).isZero();
            assertThat(Cli.run("status", "--database-url", url).out()).contains("the stream " + stream + " is missing");
            assertThat(Cli.run("doctor", "--database-url", url).out())
                    .contains("SERIOUS destination: the stream " + stream + " is missing");
            assertThat(Cli.run("destinations", "list", "--database-url", url).out())
                    .contains(stream, "MISSING since");

            Cli created = Cli.run("destinations", "create", stream, "--database-url", url, "--reason", "wiped");

            assertThat(created.code()).as(created.err()).isZero();
            relay.await("created and published", () -> broker.exists(stream) == 1 && broker.xlen(stream) == 1);
            assertThat(Cli.run("destinations", "create", stream, "--database-url", url)
                            .code())
                    .isEqualTo(1);
        }
    }

    @Test
    void withVerifyNothingIsCreatedAndTheMissingStreamIsNamed() throws Exception {
        try (StartedRelay relay = new StartedRelay(config("shop", "verify")).untilStarted(1)) {
            emit(1);

            relay.await(
                    "named in health", () -> relay.health().toString().contains("is missing, and provision is verify"));

            assertThat(streams("shop")).isZero();
        }
    }

    @Test
    void itIsSaidWhereNobodySubscribes() throws Exception {
        try (StartedRelay first = new StartedRelay(config("shop", "create")).untilStarted(1)) {
            emit(1);
            first.await("published", () -> streams("shop") == 1);
            first.await("registered", () -> number("SELECT count(*) FROM posthorn.destination") == 1);
        }
        String stream = broker.keys("shop-events-*").get(0);
        try (StartedRelay relay = new StartedRelay(config("shop", "create")).untilStarted(1)) {
            relay.await("said in health", () -> relay.health().toString().contains("nobody subscribes to " + stream));
            assertThat(relay.health().path("status").asText()).isEqualTo("ok");
            assertThat(relay.get("/v1/health/ready").statusCode()).isEqualTo(200);
            assertThat(Cli.run("status", "--database-url", url).out())
                    .contains("WARNING: nobody subscribes to the stream " + stream);
            assertThat(Cli.run("doctor", "--database-url", url).out())
                    .contains("note    subscribers: nobody subscribes to the stream " + stream);
        }
        broker.xgroupCreate(StreamOffset.from(stream, "0"), "billing");
        try (StartedRelay relay = new StartedRelay(config("shop", "create")).untilStarted(1)) {
            relay.await(
                    "said no more",
                    () -> number("SELECT count(*) FROM posthorn.destination WHERE unheard_since IS NOT NULL") == 0);
            assertThat(Cli.run("status", "--database-url", url).out()).doesNotContain("nobody subscribes");
        }
    }

    @Test
    void aTemplateNamesTheStreamsAndAChangedOneIsADestinationToConfirm() throws Exception {
        try (StartedRelay relay =
                new StartedRelay(config("shop", "create, names: {events: '{prefix}.{event_type}'}")).untilStarted(1)) {
            emit(1);
            relay.await("published", () -> broker.keys("shop.placed-*").size() == 1);
            relay.stop();
        }
        try (StartedRelay changed = new StartedRelay(config("shop", "create"))) {
            assertThat(changed.awaitEnd()).isEqualTo(1);
            assertThat(String.join("\n", changed.err()))
                    .contains("prefix shop, events {prefix}.{event_type} until now");
        }
        try (StartedRelay wrong = new StartedRelay(config("shop", "create, names: {events: '{prefix}.{colour}'}"))) {
            assertThat(wrong.awaitEnd()).isEqualTo(2);
            assertThat(String.join("\n", wrong.err())).contains("transports.out.names.events", "{aggregate-type}");
        }
        String longest = "x".repeat(600);
        try (StartedRelay tooLong = new StartedRelay(
                config("shop", "create, names: {events: '" + longest + "'}"), "--confirm-destination")) {
            assertThat(tooLong.awaitEnd()).isEqualTo(1);
            assertThat(String.join("\n", tooLong.err())).contains("can not be a name on Redis");
        }
    }

    private long streams(String prefix) {
        return broker.keys(prefix + "-events-*").size();
    }

    private Path config(String prefix, String provision) throws IOException {
        return Files.writeString(
                folder.resolve("relay.yaml"), """
                database: {url: '%s'}
                http: {address: '127.0.0.1:0'}
                transports: {out: {address: 'redis://%s:%d', prefix: %s, provision: %s}}
                routes: {main: {transport: out}}
                """.formatted(url, redis.host(), redis.port(), prefix, provision));
    }

    private void emit(int count) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "SELECT posthorn.emit('orders', 'placed', '{}', 'k') FROM generate_series(1, " + count + ")");
        }
    }

    private long number(String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }
}
