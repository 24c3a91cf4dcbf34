package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.postgres.DeadDecision;
import dev.posthorn.postgres.DeadFilter;
import dev.posthorn.postgres.PostgresDeadDesk;
import dev.posthorn.postgres.Schema;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What is dead and consumers, at the command line. */
class DeadCommandTest {

    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static EmbeddedPostgres server;

    private String url;
    private String letter;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** One event is dead on a route, one letter in a consumer. */
    @BeforeEach
    void twoAreDead() throws SQLException {
        url = server.createDatabase("dead_" + DATABASES.incrementAndGet());
        assertThat(Cli.run("schema", "migrate", "--database-url", url).code()).isZero();
        run("INSERT INTO posthorn.route (name) VALUES ('main')");
        run("INSERT INTO posthorn.outbox (domain, type, key) VALUES ('orders', 'order.placed', 'a')");
        run("INSERT INTO posthorn.detour (route, lane, seq, kind, event_id, key, attempts, last_error)"
                + " SELECT 1, lane, seq, 'FAILED', id, key, 3, 'no queue 7' FROM posthorn.outbox");
        letter = UUID.randomUUID().toString();
        die(letter, "no account 815");
        run("SELECT posthorn.report_consumer(ROW('billing', 'one', NULL, NULL, 7, 1, 2, 3, 4.5, 9, 2.5,"
                + " 'the ledger is slow')::posthorn.consumer_member)");
    }

    private void die(String id, String reason) throws SQLException {
        run("SELECT posthorn.keep_letter(ROW('" + id + "', NULL, NULL, 'billing', 'bill', 'consumer', 'test',"
                + " gen_random_uuid(), 'parcels', 'parcel.lost', 'b', 'acme', 'rejected', '" + reason
                + "', '{\"error\": \"x\"}', NULL, 'mend it', 3, NULL, NULL, '{\"h\": \"1\"}', 'lost', '{\"topic\": \"t\"}',"
                + " clock_timestamp(), NULL)::posthorn.dead_letter)");
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Cli cli(String... args) {
        List<String> all = new ArrayList<>(Arrays.asList(args));
        all.add("--database-url");
        all.add(url);
        return Cli.run(all.toArray(String[]::new));
    }

    @Test
    void bothAreListedTogetherAndFoundByFilters() {
        JsonNode all = cli("dead", "list", "--json").json().path("dead");
        assertThat(all).hasSize(2);
        assertThat(all.get(0).path("route").asText()).isEqualTo("main");
        assertThat(all.get(1).path("consumer").asText()).isEqualTo("billing");
        assertThat(all.get(1).path("remedy").asText()).isEqualTo("mend it");

        for (String filter : List.of(
                "--consumer billing",
                "--handler bill",
                "--domain parcels",
                "--type parcel.lost",
                "--key b",
                "--tenant acme",
                "--cause rejected",
                "--since 1h --cause rejected",
                "--event " + letter)) {
            assertThat(cli(("dead list --json " + filter).split(" ", -1)).json().path("dead"))
                    .as(filter)
                    .singleElement()
                    .satisfies(one -> assertThat(one.path("id").asText()).isEqualTo(letter));
        }
        assertThat(cli("dead", "list", "--fingerprint", "no queue #", "--json")
                        .json()
                        .path("dead"))
                .hasSize(1);
        assertThat(cli("dead", "list", "--until", "1h").out()).contains("No event is dead.");
        assertThat(cli("dead", "list", "--limit", "1").out().lines()).hasSize(1);
        assertThat(cli("dead", "list", "--since", "yesterday").err()).contains("is not a time");
    }

    @Test
    void groupsSayHowOftenAndWhatToDo() throws SQLException {
        die(UUID.randomUUID().toString(), "no account 42");

        JsonNode groups = cli("dead", "list", "--grouped", "--json").json().path("groups");

        assertThat(groups.get(0).path("count").asInt()).isEqualTo(2);
        assertThat(groups.get(0).path("fingerprint").asText()).isEqualTo("no account #");
        assertThat(cli("dead", "list", "--grouped").out())
                .contains("2 × rejected: no account #")
                .contains("mend it");
    }

    @Test
    void oneIsShownWhole() {
        assertThat(cli("dead", "show", letter).out())
                .contains("state: DEAD")
                .contains("header h: 1")
                .contains("from topic: t")
                .contains("body: lost")
                .contains("what to do: mend it");
        assertThat(cli("dead", "show", letter, "--json")
                        .json()
                        .path("dead")
                        .get(0)
                        .path("body_base64")
                        .asText())
                .isEqualTo("bG9zdA==");
        Cli none = cli("dead", "show", UUID.randomUUID().toString());
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).contains("There is no dead letter");
    }

    @Test
    void oneCommandRedrivesBoth() {
        assertThat(cli("dead", "redrive", "--all", "--dry-run").out())
                .contains("Nothing was changed; 2 events to redrive.");
        Cli done = cli("dead", "redrive", "--all", "--rate", "1000/s", "--json", "--reason", "fixed", "--yes");

        assertThat(done.code()).as(done.err()).isZero();
        assertThat(done.json().path("count").asInt()).isEqualTo(2);
        assertThat(done.json().path("events").get(0).path("answer").asText()).contains("out of order");
        assertThat(done.json().path("events").get(1).path("answer").asText()).contains("is not known");
        assertThat(cli("dead", "list").out()).contains("No event is dead.");
        assertThat(cli("dead", "show", letter).out()).contains("state: REDRIVE");
    }

    @Test
    void onesAreRedrivenByIdOrFilter() {
        assertThat(cli("dead", "redrive", "--type", "order.placed", "--reason", "fixed", "--yes")
                        .out())
                .contains("1 events to redrive, done.");
        assertThat(cli("dead", "redrive", letter).out()).contains(letter + ": sent back to its handler");
        Cli again = cli("dead", "redrive", letter);
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.err()).contains("is not dead; nothing was changed");
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThat(cli("dead", "redrive").err()).contains("Which?");
        assertThat(cli("dead", "redrive", "--all", "--reprocess").err()).contains("say why with --reason");
        assertThat(cli("dead", "redrive", "--all", "--rate", "fast").err()).contains("is not a rate");
        assertThat(cli("dead", "discard", letter).err()).contains("--reason");
        assertThat(cli("dead", "list", "--json").json().path("dead")).hasSize(2);
    }

    @Test
    void aReprocessAndADiscardAreDoneWithTheirReason() {
        assertThat(cli("dead", "redrive", letter, "--reprocess", "--reason", "the ledger was lost", "--json")
                        .json()
                        .path("action")
                        .asText())
                .isEqualTo("reprocess");
        assertThat(cli("dead", "discard", "--route", "main", "--reason", "a test", "--yes")
                        .out())
                .contains("1 events to discard, done.");
    }

    /** Has what the work needs of a command. */
    @CommandLine.Command
    static final class Probe {

        @CommandLine.Mixin
        private Output output = new Output();

        @CommandLine.Mixin
        private DeadPace pace = new DeadPace();
    }

    @Test
    void whoeverStopsItIsToldHowManyAreDoneAndTheRestStaysDead() throws Exception {
        for (int i = 0; i < 30; i++) {
            die(UUID.randomUUID().toString(), "no account " + i);
        }
        StringWriter out = new StringWriter();
        Probe probe = new Probe();
        new CommandLine(probe).setOut(new PrintWriter(out, true)).parseArgs("--rate", "1/s");
        try (HikariDataSource source = new HikariDataSource()) {
            source.setJdbcUrl(url);
            PostgresDeadDesk desk = new PostgresDeadDesk(source, Schema.DEFAULT);
            DeadSession work = new DeadSession(desk, DeadDecision.redrive(null), probe.pace, probe.output);
            FutureTask<Integer> running = new FutureTask<>(() -> work.run(List.of(DeadFilter.all())));
            new Thread(running, "dead-work").start();
            while (desk.count(DeadFilter.all()) == 32) {
                Thread.onSpinWait();
            }
            work.stop();

            assertThat(running.get()).isEqualTo(1);
            long left = desk.count(DeadFilter.all());
            assertThat(left).isBetween(1L, 31L);
            assertThat(out.toString()).contains("Stopped: " + (32 - left) + " of 32 events to redrive are done");
        }
    }

    @Test
    void consumersAreListedPausedAndResumed() {
        assertThat(cli("consumers", "list").out())
                .contains("consumer billing: 1 dead letters, 1 members")
                .contains("7 handled")
                .contains("TROUBLE: the ledger is slow");
        assertThat(cli("consumers", "pause", "billing", "--reason", "moving").out())
                .contains("paused.");
        assertThat(cli("consumers", "pause", "billing").out()).contains("was paused already");
        assertThat(cli("consumers", "list").out()).contains("PAUSED for");
        assertThat(cli("consumers", "resume", "billing", "--json")
                        .json()
                        .path("changed")
                        .asBoolean())
                .isTrue();
        assertThat(cli("consumers", "list", "--json")
                        .json()
                        .path("consumers")
                        .get(0)
                        .path("members")
                        .get(0)
                        .path("gone")
                        .asBoolean(true))
                .isFalse();
        Cli unknown = cli("consumers", "pause", "nobody");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err()).contains("no consumer \"nobody\"");
    }

    @Test
    void pruningTakesTheInboxAlongAndWarnsWhenItForgetsTooEarly() throws SQLException {
        run("INSERT INTO posthorn.inbox (event_id, consumer, handler, handled_at)"
                + " VALUES (gen_random_uuid(), 'billing', 'bill', now() - interval '31 days')");
        run("UPDATE posthorn.dead_letter SET changed_at = now() - interval '8 days'");

        Cli quiet = cli("prune", "--json");
        Cli early = cli("prune", "--inbox-retention", "1d", "--dead-letter-retention", "parcels=7d", "--json");

        assertThat(quiet.err()).isEmpty();
        assertThat(quiet.json().path("inbox").asInt()).isEqualTo(1);
        assertThat(quiet.json().path("dead_letters").asInt()).isZero();
        assertThat(early.json().path("dead_letters").asInt()).isEqualTo(1);
        assertThat(early.err()).contains("The inbox forgets events after 24 h").contains("domain parcels");
        assertThat(cli("prune", "--broker-retention", "7d").err()).contains("168 h at the broker");
        assertThat(cli("prune", "--dead-letter-retention", "parcels=soon").err())
                .contains("is not a time");
    }

    @Test
    void pruningForgetsCommandsByARetentionOfTheirOwn() throws SQLException {
        run("WITH made AS (INSERT INTO posthorn.workflow_run (id, handler, state, owner, until, result, ended_at)"
                + " VALUES (gen_random_uuid(), 'h', 'DONE', 'o', now(), '', now() - interval '35 hours') RETURNING id)"
                + " INSERT INTO posthorn.command (tenant, handler, id, idempotency_key, domain, type, body_hash, headers,"
                + " body, run_id) SELECT '', 'h', id, id::text, 'd', 't', sha256(''), '{}', '', id FROM made");

        Cli standard = cli("prune", "--json");
        Cli shorter = cli("prune", "--command-retention", "34h");

        assertThat(standard.json().path("commands").asInt()).isZero();
        assertThat(shorter.out()).contains("The inbox forgot 0 events and 1 commands");
    }
}
