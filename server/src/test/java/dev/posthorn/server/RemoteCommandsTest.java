package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.console.Tokens;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands say the same, whether they ask the database or a process over HTTP. */
@Tag("slow")
@Timeout(300)
class RemoteCommandsTest {

    private static final String ADMIN = "a-token-of-ann-the-admin";
    private static final String VIEWER = "a-token-of-vic-the-viewer";

    /** They differ between two looks. */
    private static final Set<String> VOLATILE = Set.of(
            "seen_at",
            "silent_seconds",
            "published_per_second",
            "per_second",
            "expected_end",
            "moved_at",
            "published",
            "lag_p50_seconds",
            "lag_p99_seconds");

    private static EmbeddedPostgres server;
    private static String url;
    private static StartedRelay relay;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void aRelayThatAnswers() throws Exception {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        url = server.createDatabase("shop");
        Path config = Files.writeString(folder.resolve("posthorn.yaml"), """
                database: {url: '%s'}
                relay: {name: one}
                transports: {out: {address: 'file:%s/out'}}
                routes:
                  main: {transport: out, start: beginning}
                  spare: {transport: out, start: beginning, domains: [nothing]}
                http:
                  address: '127.0.0.1:0'
                  figures-every: 1s
                  tokens:
                    ann: {role: admin, sha256: '%s'}
                    vic: {role: viewer, sha256: '%s'}
                """.formatted(
                        url, folder, Tokens.hashOf(ADMIN), Tokens.hashOf(VIEWER)));
        relay = new StartedRelay(config).untilStarted(2);
        run("SELECT posthorn.emit('orders', 'placed', '{}', 'order-' || n) FROM generate_series(1, 30) n");
        relay.await(
                "all is published",
                () -> number("SELECT count(*) FROM posthorn.outbox_status"
                                + " WHERE route = 'main' AND state <> 'SENT'")
                        == 0);
        kill("order-1", "no such queue");
        kill("order-2", "no such queue");
        run("INSERT INTO posthorn.consumer (name) VALUES ('billing')");
        run("INSERT INTO posthorn.replay (target_kind, target, snapshot, state, \"end\", done, \"of\", reason)"
                + " VALUES ('route', 'main', pg_current_snapshot(), 'FAILED', 9, 3, 9, 'a test')");
        assertThat(here("routes", "pause", "spare", "--reason", "nobody reads it")
                        .code())
                .isZero();
    }

    @AfterAll
    static void stop() {
        relay.close();
        server.close();
    }

    /** So that two looks of the next test see the same. */
    @AfterEach
    void nothingIsUnderWay() {
        relay.await(
                "all is published or dead",
                () -> number("SELECT count(*) FROM posthorn.outbox_status"
                                + " WHERE route = 'main' AND state NOT IN ('SENT', 'FAILED')")
                        == 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status",
                "routes list",
                "relays list",
                "events list",
                "events list --domain orders --type placed --limit 7",
                "events list --domain nothing",
                "events tail --for 1ms --last 3",
                "keys show order-1",
                "keys show nothing",
                "dead list",
                "dead list --route main --limit 1",
                "dead list --consumer billing",
                "dead list --grouped",
                "consumers list",
                "replay list",
                "audit",
                "audit --action pause --limit 1",
                "dead redrive --route main --reason x --dry-run"
            })
    void aPersonReadsTheSame(String command) {
        String[] words = command.split(" ", -1);

        Cli here = here(words);
        Cli there = there(words);

        assertThat(there.code()).as(there.err()).isEqualTo(here.code()).isZero();
        if (command.startsWith("dead redrive")) {
            assertThat(there.out()).contains("Nothing was changed; 2 events to redrive.");
            assertThat(here.out()).contains("Nothing was changed; 2 events to redrive.");
        } else {
            assertThat(steady(there.out())).isEqualTo(steady(here.out()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status",
                "routes list",
                "relays list",
                "events list --limit 5",
                "keys show order-2",
                "dead list",
                "dead list --grouped",
                "consumers list",
                "replay list",
                "audit --limit 3"
            })
    void aProgramReadsTheSameAndPerhapsMore(String command) {
        String[] words = (command + " --json").split(" ", -1);

        assertContains(there(words).json(), here(words).json(), command);
    }

    @Test
    void oneEventAndOneDeadLetterAreToldTheSame() {
        String id = text("SELECT id FROM posthorn.outbox WHERE key = 'order-1'");

        assertThat(steady(there("events", "show", id).out()))
                .isEqualTo(steady(here("events", "show", id).out()));
        assertThat(steady(there("dead", "show", id).out()))
                .isEqualTo(steady(here("dead", "show", id).out()))
                .contains("body: {}");
        assertThat(as(VIEWER, "dead", "show", id).out()).contains("body: (not shown to this token)");
        assertThat(there("dead", "show", "01890a5d-ac96-774b-bcce-b302099a8057").err())
                .isEqualTo(here("dead", "show", "01890a5d-ac96-774b-bcce-b302099a8057")
                        .err());
    }

    @Test
    void theDoctorLooksFromThere() {
        Cli there = there("doctor", "--json");

        assertThat(there.json().path("findings").findValuesAsText("check")).contains("dead");
        assertThat(there("doctor", "--relay-role", "x").err()).contains("leave them out with --url");
    }

    @Test
    void whatIsChangedThereIsRecordedWithTheNameOfTheToken() throws SQLException {
        assertThat(there("routes", "pause", "main").err()).contains("give --reason. Nothing was changed.");

        assertThat(there("routes", "pause", "main", "--reason", "over HTTP").out())
                .isEqualTo("Route main: paused.\n");
        assertThat(there("routes", "pause", "main", "--reason", "again").out())
                .isEqualTo("Route main was paused already.\n");
        assertThat(there("routes", "resume", "main", "--reason", "over HTTP", "--json")
                        .json()
                        .path("changed")
                        .asBoolean())
                .isTrue();
        assertThat(there("consumers", "pause", "billing", "--reason", "over HTTP")
                        .out())
                .isEqualTo("Consumer billing: paused.\n");
        assertThat(there("consumers", "resume", "billing", "--reason", "over HTTP")
                        .out())
                .isEqualTo("Consumer billing: resumed.\n");

        assertThat(here("audit", "--who", "ann").out())
                .contains("ann  pause main on route main", "ann  resume main on route main", ": over HTTP")
                .contains("billing");
    }

    @Test
    void aRouteIsTestedFromThere() {
        Cli through = there("routes", "test", "main", "--reason", "is it through?");
        Cli same = here("wire-test", "--route", "main");

        assertThat(through.code()).as(through.out() + through.err()).isZero();
        assertThat(through.out()).contains("is through.").contains("published  route main");
        assertThat(steady(through.out()).lines().count())
                .isEqualTo(steady(same.out()).lines().count());
        assertThat(there("routes", "test", "none").err()).contains("There is no route \"none\"");
    }

    @Test
    void dataIsEmittedPrunedAndReplayedFromThere() {
        Cli emitted = there(
                "emit",
                "--domain",
                "mail",
                "--type",
                "sent",
                "--key",
                "m",
                "--json-payload",
                "{\"a\": 1}",
                "--reason",
                "x");
        assertThat(emitted.code()).as(emitted.err()).isZero();
        assertThat(text("SELECT convert_from(payload, 'UTF8') FROM posthorn.outbox WHERE domain = 'mail'"))
                .isEqualTo("{\"a\": 1}");

        assertThat(there("prune", "--dry-run", "--reason", "x").out()).contains("0 events would be removed.");
        assertThat(there("prune", "--reason", "x").out()).startsWith("Removed 0 events, ");
        assertThat(there("prune", "--retention", "1d", "--reason", "x").err()).contains("by its own retention");

        Cli would = there("replay", "start", "--route", "main", "--key", "order-3", "--dry-run", "--reason", "x");
        assertThat(would.out())
                .isEqualTo(here("replay", "start", "--route", "main", "--key", "order-3", "--dry-run")
                        .out())
                .contains("1 events would go into route main, key order-3 of the log.");
        Cli done = there("replay", "start", "--route", "main", "--key", "order-3", "--wait", "--reason", "x");
        assertThat(done.code()).as(done.out() + done.err()).isZero();
        assertThat(done.out()).contains(" DONE into route main: 1 of 1 events");
    }

    @Test
    void manyDeadLettersAreDecidedAboutThereAndOnesToo() throws SQLException {
        kill("order-11", "gone");
        kill("order-12", "gone");
        kill("order-13", "gone");
        String one = text("SELECT id FROM posthorn.outbox WHERE key = 'order-13'");

        assertThat(there("dead", "discard", one, "--reason", "sent by hand").out())
                .contains("1 events to discard, done.");
        Cli many = there(
                "dead",
                "redrive",
                "--fingerprint",
                "gone",
                "--reason",
                "it is there again",
                "--rate",
                "100/s",
                "--yes");

        assertThat(many.code()).as(many.err()).isZero();
        assertThat(many.out()).contains("2 events to redrive, done.");
        assertThat(here("dead", "list", "--key", "order-11").out()).contains("No event is dead.");
        assertThat(there("dead", "redrive").err()).contains("Which?");
        assertThat(here("audit", "--who", "ann", "--action", "redrive").out()).contains("it is there again");
    }

    @Test
    void whoMayNotIsToldSoAndNobodyElseLearnsTheToken() {
        Cli none = Cli.run("status", "--url", place());
        Cli wrong = as("not-a-token-at-all", "status");
        Cli viewer = as(VIEWER, "routes", "resume", "spare", "--reason", "x");
        Cli nobody = Cli.run("status", "--url", "http://127.0.0.1:1", "--token", ADMIN);
        Cli both = Cli.run("status", "--url", place(), "--database-url", url);

        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).contains("wants a token: give --token, or set POSTHORN_TOKEN");
        assertThat(wrong.err()).contains("wants a token").doesNotContain("not-a-token-at-all");
        assertThat(viewer.err()).contains("may not do that");
        assertThat(nobody.err())
                .contains("Nobody answers at http://127.0.0.1:1")
                .doesNotContain(ADMIN);
        assertThat(both.code()).isEqualTo(2);
        assertThat(both.err()).contains("--url and --database-url are two places to ask");
        assertThat(Cli.run("status", "--url", "file:///etc").err()).contains("--url must look like http://");
    }

    private static void assertContains(JsonNode more, JsonNode less, String path) {
        if (less.isObject()) {
            less.fieldNames().forEachRemaining(name -> {
                if (!VOLATILE.contains(name)) {
                    assertThat(more.has(name)).as(path + "." + name).isTrue();
                    assertContains(more.path(name), less.path(name), path + "." + name);
                }
            });
        } else if (less.isArray()) {
            assertThat(more).as(path).hasSize(less.size());
            for (int i = 0; i < less.size(); i++) {
                assertContains(more.path(i), less.path(i), path + "[" + i + "]");
            }
        } else {
            assertThat(more.asText()).as(path).isEqualTo(less.asText());
        }
    }

    /** Without what differs between two looks. */
    private static String steady(String text) {
        return text.replaceAll("\\d+[smh](?= ago|,|:| |$|\\n|;)", "T")
                .replaceAll("[\\d.,]+ (published a second|a second)", "R $1")
                .replaceAll("lag [\\d.]+ s", "lag");
    }

    private static Cli here(String... args) {
        return Cli.run(Stream.concat(Arrays.stream(args), Stream.of("--database-url", url))
                .toArray(String[]::new));
    }

    private static Cli there(String... args) {
        return as(ADMIN, args);
    }

    private static Cli as(String token, String... args) {
        return Cli.run(Stream.concat(Arrays.stream(args), Stream.of("--url", place(), "--token", token))
                .toArray(String[]::new));
    }

    private static String place() {
        return "http://127.0.0.1:" + relay.port();
    }

    /** As a relay leaves an event that was refused. */
    private static void kill(String key, String reason) throws SQLException {
        run("INSERT INTO posthorn.detour (route, lane, seq, kind, event_id, key, attempts, last_error)"
                + " SELECT 1, lane, seq, 'FAILED', id, key, 3, '" + reason + "' FROM posthorn.outbox WHERE key = '"
                + key
                + "'");
    }

    private static double number(String sql) {
        return Double.parseDouble(text(sql));
    }

    private static String text(String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }

    private static void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
