package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.postgres.PostgresReplays;
import dev.posthorn.postgres.Schema;
import dev.posthorn.replay.ReplayConfig;
import dev.posthorn.replay.ReplayStep;
import dev.posthorn.replay.Target;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

class ReplayCommandTest {

    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static EmbeddedPostgres server;

    private String url;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void aLogWithARoute() {
        url = server.createDatabase("replay_" + DATABASES.incrementAndGet());
        run("schema", "migrate");
        run("routes", "create", "main");
    }

    @Test
    void aReplayIsStartedListedPublishedAndDone() throws SQLException {
        emit("placed");
        emit("paid");
        sql("UPDATE posthorn.outbox SET aggregate_type = 'order', aggregate_id = '1'");

        Cli started = run(
                "replay",
                "start",
                "--route",
                "main",
                "--type",
                "placed",
                "--aggregate-type",
                "order",
                "--rate",
                "50",
                "--reason",
                "lost",
                "--json");

        assertThat(started.code()).as(started.err()).isZero();
        assertThat(started.json().path("of").asInt()).isEqualTo(1);
        assertThat(started.json().path("state").asText()).isEqualTo("RUNNING");
        assertThat(started.json().path("rate").asInt()).isEqualTo(50);
        assertThat(started.json().path("selection").path("types").get(0).asText())
                .isEqualTo("placed");
        assertThat(run("replay", "list").out())
                .contains("RUNNING into route main: 0 of 1 events, type placed aggregate type order of the log")
                .contains("(lost)");
        List<Publication> published = publish(publication -> Outcome.accepted());
        assertThat(published)
                .singleElement()
                .satisfies(one -> assertThat(one.event().headers())
                        .containsEntry("replay", started.json().path("id").asText()));
        JsonNode done = run("replay", "list", "--json").json().path("replays").get(0);
        assertThat(done.path("state").asText()).isEqualTo("DONE");
        assertThat(done.path("done").asInt()).isEqualTo(1);
        assertThat(done.path("position").asLong()).isEqualTo(done.path("end").asLong());
    }

    @Test
    void aDryRunOnlyCounts() {
        emit("placed");
        emit("placed");

        Cli tried = run("replay", "start", "--consumer", "billing", "--dry-run");

        assertThat(tried.out())
                .contains("Nothing was started; 2 events would go into consumer billing, all of the log.");
        Cli json = run("replay", "start", "--route", "main", "--key", "none", "--dry-run", "--json");
        assertThat(json.json().path("of").asInt()).isZero();
        assertThat(json.json().path("route").asText()).isEqualTo("main");
        assertThat(run("replay", "list").out()).contains("There are no replays.");
    }

    @Test
    void whatFailedIsResumedOrCancelled() {
        emit("placed");
        String id = run("replay", "start", "--route", "main", "--json")
                .json()
                .path("id")
                .asText();
        publish(publication -> Outcome.refused("too large"));

        assertThat(run("replay", "list").out()).contains("FAILED").contains("was refused: too large");
        Cli resumed = run("replay", "resume", id, "--json");
        assertThat(resumed.json().path("state").asText()).isEqualTo("RUNNING");
        assertThat(run("replay", "resume", id).err()).contains("is not FAILED");
        Cli cancelled = run("replay", "cancel", id, "--reason", "no use", "--json");
        assertThat(cancelled.json().path("state").asText()).isEqualTo("CANCELLED");
        Cli again = run("replay", "cancel", id, "--reason", "no use");
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.err()).contains("is not RUNNING or FAILED");
    }

    @Test
    void whoWaitsIsToldOfTheEnd() throws InterruptedException {
        emit("placed");
        Thread publishing = new Thread(() -> {
            while (publish(publication -> Outcome.accepted()).isEmpty()) {
                Thread.onSpinWait();
            }
        });
        publishing.start();

        Cli waited = run("replay", "start", "--route", "main", "--wait");

        publishing.join();
        assertThat(waited.code()).as(waited.err()).isZero();
        assertThat(waited.err()).contains("of 1 events");
        assertThat(waited.out()).contains("DONE into route main: 1 of 1 events");
    }

    @Test
    void archivedEventsAreReplayedFromTheirFolder(@TempDir Path folder) {
        emit("placed");
        run("routes", "retire", "main", "--reason", "test");
        run("routes", "create", "later");
        assertThat(run("prune", "--archive", folder.toString(), "--archive-after", "0s")
                        .out())
                .contains("Archived 1 events");
        assertThat(run("replay", "start", "--route", "later", "--json")
                        .json()
                        .path("of")
                        .asInt(-1))
                .isZero();

        Cli started = run("replay", "start", "--route", "later", "--from-archive", folder.toString(), "--json");

        assertThat(started.code()).as(started.err()).isZero();
        assertThat(started.json().path("of").asInt()).isEqualTo(1);
        assertThat(started.json().path("archive").asText()).isEqualTo(folder.toString());
        assertThat(publishInto("later", publication -> Outcome.accepted())).hasSize(1);
        assertThat(run(
                                "replay",
                                "start",
                                "--route",
                                "later",
                                "--from-archive",
                                folder.resolve("no").toString())
                        .err())
                .contains("there is no such folder");
    }

    @Test
    void whatMakesNoSenseIsRefusedWithWhatToDo() {
        assertThat(run("replay", "start").code()).isEqualTo(2);
        assertThat(run("replay", "start", "--route", "main", "--consumer", "c").code())
                .isEqualTo(2);
        assertThat(run("replay", "start", "--route", "main", "--rate", "0").err())
                .contains("at least 1");
        Cli times = run(
                "replay", "start", "--route", "main", "--from", "2026-03-02T00:00:00Z", "--to", "2026-03-01T00:00:00Z");
        assertThat(times.code()).isEqualTo(2);
        assertThat(times.err()).contains("Correct one of them");
        assertThat(run("replay", "start", "--route", "none").err())
                .contains("There is no live route \"none\".")
                .contains("names");
        assertThat(run("replay", "cancel", UUID.randomUUID().toString()).code()).isEqualTo(2);
    }

    @Test
    void anEventTellsItsStory() throws SQLException {
        String id = emit("placed", "--key", "k");
        sql("UPDATE posthorn.outbox SET aggregate_type = 'order', aggregate_id = '17'");
        sql("INSERT INTO posthorn.attempt (route, seq, attempt, relay, event_id, outcome, error)"
                + " SELECT r.id, o.seq, 1, 'r1', o.id, 'failed', 'no room' FROM posthorn.outbox o, posthorn.route r");
        sql("INSERT INTO posthorn.detour (route, lane, seq, kind, event_id, key, attempts, last_error)"
                + " SELECT r.id, o.lane, o.seq, 'FAILED', o.id, o.key, 1, 'no room'"
                + " FROM posthorn.outbox o, posthorn.route r");
        Cli dead = run("events", "show", id);
        assertThat(dead.code()).as(dead.err()).isZero();
        assertThat(dead.out())
                .contains(id + " shop/placed, key k, about order 17, seq 1")
                .contains("route main: FAILED, 1 attempts, no room")
                .contains(" attempt 1 on route main by relay r1: failed, no room")
                .contains(" dead on route main: no room");
        run("dead", "redrive", "--route", "main", "--event", id, "--reason", "mended");
        String replay = run("replay", "start", "--consumer", "billing", "--reason", "lost", "--json")
                .json()
                .path("id")
                .asText();

        JsonNode story = run("events", "show", id, "--json").json();

        assertThat(story.path("story").findValuesAsText("what"))
                .containsExactly("emitted", "attempt 1", "redrive", "to be replayed");
        assertThat(story.path("story").get(2).path("detail").asText()).isEqualTo("mended");
        assertThat(story.path("story").get(3).path("detail").asText())
                .isEqualTo("replay " + replay + ", RUNNING, lost");
        assertThat(story.path("routes").get(0).path("state").asText()).isEqualTo("PENDING");
        publishInto(Target.consumer("billing"), publication -> Outcome.accepted());
        assertThat(run("events", "show", id).out()).contains(" replayed on consumer billing by ");
    }

    @Test
    void theStoryTellsWhoHandledIt() throws SQLException {
        String id = emit("placed");
        sql(
                "INSERT INTO posthorn.inbox (event_id, consumer, handler) SELECT id, 'billing', 'invoice' FROM posthorn.outbox");
        sql(
                "SELECT posthorn.keep_letter(ROW(gen_random_uuid(), 1, 'DEAD', 'stock', 'count', 'event', 'handler', o.id, o.domain,"
                        + " o.type, NULL, NULL, 'failed', 'no such item', '{}', '', 'mend it', 3, 0, false, '{}', '', '{}', now(),"
                        + " now())::posthorn.dead_letter) FROM posthorn.outbox o");
        sql("SELECT posthorn.redrive_letters(ARRAY(SELECT id FROM posthorn.dead_letter), false, 'mended')");

        assertThat(run("events", "show", id).out())
                .contains(" handled on consumer billing by handler invoice")
                .contains(" dead on consumer stock by handler count: 3 attempts, failed, no such item")
                .contains(" redrive by ")
                .contains(": mended")
                .contains(" redriven on consumer stock by handler count");
    }

    @Test
    void anEventThatNobodyKnowsIsToldWithWhereToLook() {
        Cli unknown = run("events", "show", UUID.randomUUID().toString());

        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err()).contains("is not in the log").contains("posthorn archive show");
    }

    // ---- hands

    private List<Publication> publish(Function<Publication, Outcome> answer) {
        return publishInto("main", answer);
    }

    private List<Publication> publishInto(String route, Function<Publication, Outcome> answer) {
        return publishInto(Target.route(route), answer);
    }

    /** What a process that serves the target publishes within some turns. */
    private List<Publication> publishInto(Target target, Function<Publication, Outcome> answer) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        List<Publication> published = new ArrayList<>();
        Publisher publisher = new Publisher() {
            @Override
            public void publish(List<? extends Publication> publications) {
                published.addAll(publications);
                publications.forEach(one -> one.settle(answer.apply(one)));
            }

            @Override
            public void close() {}
        };
        try (ReplayStep step = new ReplayStep(new ReplayStep.Parts(
                "test", target, new PostgresReplays(source, Schema.DEFAULT), publisher, ReplayConfig.standard()))) {
            for (int i = 0; i < 20; i++) {
                step.runOnce();
            }
        }
        return published;
    }

    private String emit(String type, String... more) {
        List<String> words =
                new ArrayList<>(List.of("emit", "--domain", "shop", "--type", type, "--json-payload", "1", "--json"));
        words.addAll(Arrays.asList(more));
        Cli emitted = run(words.toArray(new String[0]));
        assertThat(emitted.code()).as(emitted.err()).isZero();
        return emitted.json().path("id").asText();
    }

    private Cli run(String... words) {
        List<String> all = new ArrayList<>(Arrays.asList(words));
        all.add("--database-url");
        all.add(url);
        return Cli.run(all.toArray(new String[0]));
    }

    private void sql(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
