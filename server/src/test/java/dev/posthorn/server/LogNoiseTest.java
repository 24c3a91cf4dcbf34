package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.embeddedpostgres.StopMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A relay process says the first failure, then at growing intervals how often it failed, then the recovery. It logs no stack
 * traces of its clients, and each of its lines about a route names the route.
 */
@Tag("slow")
@Timeout(300)
class LogNoiseTest {

    private static final Duration OUTAGE = Duration.ofSeconds(15);
    /** A first failure, a second and a third reason, two intervals within the outage, and the recovery. */
    private static final int LINES_OF_AN_OUTAGE = 8;

    private static final Pattern TRACE = Pattern.compile("^\\s+at .*|^Caused by: .*|^\\s+\\.\\.\\. \\d+ more");
    private static final Pattern LINE = Pattern.compile("^\\d{4}-\\d\\d-\\d\\dT.*");

    private static final Pattern OF_THE_PROCESS = Pattern.compile(
            " - (Applied \\d+ migrations|Health and metrics at|Console at|Reading figures|Trimming of streams)");
    private static final Map<String, String> AWS = Map.of("AWS_ACCESS_KEY_ID", "test", "AWS_SECRET_ACCESS_KEY", "test");

    @TempDir
    private Path folder;

    private EmbeddedPostgres server;

    @BeforeEach
    void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aCleanStopSaysThatAndNothingOfItsLanes() throws Exception {
        try (StartedRelay relay = new StartedRelay(toFile(server.createDatabase("stopped"))).untilStarted(1)) {
            relay.await("it has its lanes", () -> says(relay, "Took lanes"));
            int before = relay.err().size();

            assertThat(relay.stop()).isZero();

            List<String> said = relay.err().subList(before, relay.err().size());
            assertThat(said).noneMatch(line -> line.contains("loaded again"));
            assertThat(said).hasSizeLessThanOrEqualTo(3);
            assertEveryLineNamesARoute(relay, Set.of("orders"));
        }
    }

    @Test
    void aRestartOfPostgresIsAFewLinesWithoutStackTraces() throws Exception {
        String url = server.createDatabase("restarted");
        try (StartedRelay relay = new StartedRelay(toFile(url)).untilStarted(1)) {
            relay.await("it has its lanes", () -> says(relay, "Took lanes"));
            int before = relay.err().size();

            server.restart(StopMode.IMMEDIATE);
            emit(url);

            relay.await("it publishes again", () -> says(relay, "Relaying works again"));
            assertThat(relay.stop()).isZero();
            assertQuiet(relay, before, LINES_OF_AN_OUTAGE + 6);
            assertEveryLineNamesARoute(relay, Set.of("orders"));
        }
    }

    @Test
    void aRelayOnAStandbySaysItOnce() throws Exception {
        try (EmbeddedPostgres primary =
                EmbeddedPostgres.builder().binaries(withBaseBackup()).start()) {
            String url = primary.createDatabase("primary");
            try (StartedRelay first = new StartedRelay(toFile(url)).untilStarted(1)) {
                assertThat(first.stop()).isZero();
            }
            assertThatAStandbyIsSaidOnce(primary);
        }
    }

    private void assertThatAStandbyIsSaidOnce(EmbeddedPostgres primary) throws IOException {
        try (EmbeddedPostgres standby = EmbeddedPostgres.builder()
                        .binaries(withBaseBackup())
                        .standbyOf(primary)
                        .start();
                StartedRelay relay = new StartedRelay(toFile(standby.jdbcUrl("primary")))) {
            relay.await("it says why", () -> says(relay, "standby"));
            pass(Duration.ofSeconds(5));
            relay.kill();
            assertQuiet(relay, 0, LINES_OF_AN_OUTAGE);
        }
    }

    @Test
    void brokersAtWrongAddressesAreAFewLinesForEachRouteWithoutStackTraces() throws Exception {
        Map<String, String> brokers = Map.of(
                "kafka-host", "kafka://no-such-host.invalid:9092",
                "kafka-port", "kafka://127.0.0.1:1",
                "rabbitmq-host", "amqp://relay@no-such-host.invalid/shop",
                "rabbitmq-port", "amqp://relay@127.0.0.1:1/shop",
                "redis-host", "redis://no-such-host.invalid:6379",
                "redis-port", "redis://127.0.0.1:1",
                "sns-sqs", "sns-sqs://us-east-1?endpoint=http://127.0.0.1:1",
                "pubsub", "pubsub://shop-prod?emulator=127.0.0.1:1");
        String url = server.createDatabase("wrong");
        try (StartedRelay relay = new StartedRelay(AWS, config(url, brokers)).untilStarted(brokers.size())) {
            emit(url);
            for (String route : brokers.keySet()) {
                relay.await(
                        "it says what is wrong with " + route,
                        () -> says(relay, "Publishing failed: .* route=" + route + " .*"));
            }
            pass(OUTAGE);
            relay.kill();
            assertNoTraces(relay);
            for (String route : brokers.keySet()) {
                assertThat(relay.err())
                        .filteredOn(line -> line.contains("route=" + route + " "))
                        .as(route)
                        .hasSizeLessThanOrEqualTo(LINES_OF_AN_OUTAGE);
            }
            assertEveryLineNamesARoute(relay, brokers.keySet());
        }
    }

    private static void assertQuiet(StartedRelay relay, int before, int lines) {
        List<String> said = relay.err().subList(before, relay.err().size());
        assertThat(said).as("lines").hasSizeLessThanOrEqualTo(lines);
        assertNoTraces(relay);
    }

    private static void assertNoTraces(StartedRelay relay) {
        assertThat(relay.err())
                .as("stack traces")
                .noneMatch(line -> TRACE.matcher(line).matches());
    }

    /** All but those about the process. */
    private static void assertEveryLineNamesARoute(StartedRelay relay, Set<String> routes) {
        assertThat(relay.err())
                .filteredOn(line -> LINE.matcher(line).matches())
                .filteredOn(line -> !OF_THE_PROCESS.matcher(line).find())
                .allMatch(line -> routes.stream().anyMatch(line::contains));
    }

    /** The bundled Postgres can not make a standby. Where none is installed the test is skipped, or fails with CI=true. */
    private static Path withBaseBackup() {
        return EmbeddedPostgres.installed().stream()
                .filter(installed -> Files.isExecutable(installed.resolve("pg_basebackup")))
                .findFirst()
                .orElseGet(() -> {
                    assertThat(System.getenv("CI")).as("no pg_basebackup").isNotEqualTo("true");
                    System.out.println("No relay on a standby is tested: no installed Postgres has pg_basebackup");
                    return Assumptions.abort("no installed Postgres has pg_basebackup");
                });
    }

    private static boolean says(StartedRelay relay, String what) {
        Pattern pattern = Pattern.compile(what);
        return relay.err().stream().anyMatch(line -> pattern.matcher(line).find());
    }

    /** Time in which nothing is to happen. */
    private static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private Path toFile(String url) throws IOException {
        return config(url, Map.of("orders", "file:" + folder + "/out"));
    }

    /** Each route has a transport of the same name. */
    private Path config(String url, Map<String, String> transports) throws IOException {
        List<String> lines = new ArrayList<>(
                List.of("database: {url: '" + url + "'}", "http: {address: '127.0.0.1:0'}", "transports:"));
        transports.forEach((name, address) -> lines.add("  " + name + ": {address: '" + address + "'}"));
        lines.add("routes:");
        transports.keySet().forEach(name -> lines.add("  " + name + ": {transport: " + name + "}"));
        return Files.write(folder.resolve("relay.yaml"), lines);
    }

    private static void emit(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT posthorn.emit('shop', 'order.placed', '{}'::text)");
        }
    }
}
