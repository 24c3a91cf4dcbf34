package dev.posthorn.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.console.Scene.Reply;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.testkit.Await;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be changed, each with a record of who and why. */
class ChangingTest {

    private static final String REASON = "{\"reason\": \"a test\"}";
    private static EmbeddedPostgres server;
    private static Scene scene;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        scene = Scene.with(server, Scene.oneForEachRole());
        scene.memberOfBilling();
    }

    @AfterAll
    static void stop() {
        scene.close();
        server.close();
    }

    @Test
    void aRouteIsPausedResumedAndRetiredInTheNameOfTheToken() {
        scene.run("INSERT INTO posthorn.route (name) VALUES ('other')");

        Reply paused = scene.post("/v1/routes/other/pause", REASON, Role.OPERATOR, key());
        Reply again = scene.post("/v1/routes/other/pause", REASON, Role.OPERATOR, key());
        Reply resumed = scene.post("/v1/routes/other/resume", REASON, Role.OPERATOR, key());
        Reply retired = scene.post("/v1/routes/other/retire", REASON, Role.ADMIN, key());

        assertThat(paused.json().path("changed").asBoolean()).as(paused.body()).isTrue();
        assertThat(again.json().path("changed").asBoolean()).isFalse();
        assertThat(resumed.json().path("changed").asBoolean()).isTrue();
        assertThat(retired.json().path("changed").asBoolean()).isTrue();
        assertThat(recorded("other"))
                .containsExactly(
                        "operator-ann pause a test 1", "operator-ann resume a test 1", "admin-ann retire a test 1");
        assertThat(scene.rows("SELECT DISTINCT login FROM posthorn.operator_action"))
                .containsExactly(scene.one("SELECT session_user"));
        assertThat(scene.post("/v1/routes/nowhere/pause", REASON).code()).isEqualTo(404);
    }

    @Test
    void aConsumerIsPausedAndResumed() {
        assertThat(scene.post("/v1/consumers/billing/pause", REASON)
                        .json()
                        .path("changed")
                        .asBoolean())
                .isTrue();
        assertThat(scene.post("/v1/consumers/billing/resume", REASON)
                        .json()
                        .path("changed")
                        .asBoolean())
                .isTrue();
        assertThat(recorded("billing")).hasSize(2).allMatch(one -> one.startsWith("admin-ann "));
        assertThat(scene.post("/v1/consumers/nobody/pause", REASON).code()).isEqualTo(404);
    }

    @Test
    void theSameKeyChangesOnceAndAnswersAgain() {
        String key = key();
        String body = "{\"reason\": \"once\", \"domain\": \"once\", \"type\": \"a\", \"payload\": {\"b\": 1}}";

        Reply first = scene.post("/v1/events", body, Role.OPERATOR, key);
        Reply retry = scene.post("/v1/events", body, Role.OPERATOR, "\"" + key + "\"");
        Reply other = scene.post("/v1/events", body.replace("1}", "2}"), Role.OPERATOR, key);
        Reply elsewhere = scene.post("/v1/routes/main/pause", body, Role.OPERATOR, key);
        Reply somebodyElse = scene.post("/v1/events", body, Role.ADMIN, key);

        assertThat(first.code()).as(first.body()).isEqualTo(200);
        assertThat(retry.body()).isEqualTo(first.body());
        assertThat(other.code()).isEqualTo(409);
        assertThat(other.word()).isEqualTo("key-used");
        assertThat(elsewhere.code()).isEqualTo(409);
        assertThat(somebodyElse.body()).isNotEqualTo(first.body());
        assertThat(scene.one("SELECT count(*) FROM posthorn.outbox WHERE domain = 'once'"))
                .isEqualTo("2");
        assertThat(scene.rows(
                        "SELECT who || ' ' || action || ' ' || reason FROM posthorn.operator_action WHERE target = '"
                                + first.json().path("id").asText() + "'"))
                .containsExactly("operator-ann emit once");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"reason\": \"\"}", "{\"reason\": \"  \"}", "{\"reason\": 7}", "[]", "rubbish", ""})
    void whoSaysNotWhyChangesNothing(String body) {
        Reply reply = scene.post("/v1/routes/main/pause", body);

        assertThat(reply.code()).as(reply.body()).isEqualTo(400);
        assertThat(scene.one("SELECT count(*) FROM posthorn.route WHERE name = 'main' AND paused_at IS NOT NULL"))
                .isEqualTo("0");
    }

    @Test
    void whoBringsNoKeyChangesNothing() {
        Reply reply = scene.post("/v1/routes/main/pause", REASON, Role.ADMIN, " ");

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.word()).isEqualTo("no-idempotency-key");
    }

    @Test
    void aSlipOfThePenWidensNoFilter() {
        Reply reply = scene.post(
                "/v1/dead/discard", "{\"reason\": \"x\", \"expected\": 9, \"filter\": {\"rout\": \"main\"}}");

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.body()).contains("There is no field rout");
    }

    @Test
    void aFewDeadLettersAreDecidedAboutAtOnce() {
        String id = scene.dieOnRoute("few", "no queue");
        String letter = scene.dieInConsumer("no account");

        Reply trial =
                scene.post("/v1/dead/redrive", "{\"reason\": \"x\", \"dry_run\": true, \"ids\": [\"" + id + "\"]}");
        Reply redriven = scene.post("/v1/dead/redrive", "{\"reason\": \"x\", \"ids\": [\"" + id + "\"]}");
        Reply again = scene.post("/v1/dead/redrive", "{\"reason\": \"x\", \"ids\": [\"" + id + "\"]}");
        Reply discarded = scene.post("/v1/dead/discard", "{\"reason\": \"y\", \"ids\": [\"" + letter + "\"]}");

        assertThat(trial.json().path("dry_run").asBoolean()).isTrue();
        assertThat(redriven.json().path("count").asInt()).as(redriven.body()).isEqualTo(1);
        assertThat(again.code()).isEqualTo(404);
        assertThat(discarded.json().path("count").asInt()).isEqualTo(1);
        assertThat(recorded(id)).containsExactly("admin-ann redrive x 1");
        assertThat(scene.rows("SELECT who FROM posthorn.operator_action WHERE action = 'discard' AND reason = 'y'"))
                .containsExactly("admin-ann");
    }

    @Test
    void manyDeadLettersAreAJobWithARateAndCanBeStopped() {
        for (int i = 0; i < 30; i++) {
            scene.dieOnRoute("many" + i, "many failed");
        }
        String filter = "\"filter\": {\"route\": \"main\", \"fingerprint\": \"many failed\"}";
        int count = scene.post("/v1/dead/count", "{" + filter + "}")
                .json()
                .path("count")
                .asInt();
        Reply trial = scene.post("/v1/dead/redrive", "{\"reason\": \"x\", \"dry_run\": true, " + filter + "}");
        Reply unsure = scene.post("/v1/dead/redrive", "{\"reason\": \"x\", " + filter + "}");
        Reply grew = scene.post("/v1/dead/redrive", "{\"reason\": \"x\", \"expected\": 29, " + filter + "}");

        Reply started = scene.post(
                "/v1/dead/redrive", "{\"reason\": \"slowly\", \"expected\": 30, \"rate\": 2, " + filter + "}");

        assertThat(count).isEqualTo(30);
        assertThat(trial.json().path("count").asInt()).isEqualTo(30);
        assertThat(unsure.code()).isEqualTo(400);
        assertThat(grew.code()).isEqualTo(409);
        assertThat(started.code()).as(started.body()).isEqualTo(202);
        String job = "/v1/jobs/" + started.json().path("job").asText();
        Await.until("some are done", () -> scene.get(job).json().path("count").asInt() >= 2);
        assertThat(scene.post(job + "/stop", REASON).code()).isEqualTo(200);
        Await.until("it has stopped", () -> state(job).equals("stopped"));
        JsonNode told = scene.get(job).json();
        int done = told.path("count").asInt();
        assertThat(done).isBetween(2, 29);
        assertThat(told.path("total").asInt()).isEqualTo(30);
        assertThat(told.path("who").asText()).isEqualTo("admin-ann");
        assertThat(told.path("answers").size()).isPositive();
        assertThat(scene.one(
                        "SELECT count(*) FROM posthorn.detour WHERE kind = 'FAILED' AND last_error = 'many failed'"))
                .isEqualTo(Integer.toString(30 - done));
        assertThat(scene.get("/v1/audit?action=redrive").json().path("actions"))
                .filteredOn(entry -> entry.path("reason").asText().equals("slowly"))
                .singleElement()
                .satisfies(entry -> assertThat(entry.path("rows").asInt()).isEqualTo(done));
        assertThat(scene.one(
                        "SELECT sum(rows) FROM posthorn.operator_action WHERE reason = 'slowly' AND bulk IS NOT NULL"))
                .isEqualTo(Integer.toString(done));
        assertThat(recorded(started.json().path("job").asText()))
                .singleElement()
                .asString()
                .contains("stop_job");
        assertThat(scene.post(job + "/stop", REASON).code()).isEqualTo(409);
        Reply rest = scene.post("/v1/dead/redrive", "{\"reason\": \"rest\", \"expected\": 30, " + filter + "}");
        String second = "/v1/jobs/" + rest.json().path("job").asText();
        Await.until("the rest is done", () -> state(second).equals("done"));
        assertThat(scene.get(second).json().path("count").asInt()).isEqualTo(30 - done);
        assertThat(scene.get("/v1/jobs").json().path("jobs").size()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void aReplayIsTriedStartedAndCancelled() {
        scene.emit("again", "a", "k", "{}");
        String order =
                "{\"reason\": \"x\", \"route\": \"main\", \"selection\": {\"domains\": [\"again\"]}, \"rate\": 5";

        Reply trial = scene.post("/v1/replays", order + ", \"dry_run\": true}");
        Reply started = scene.post("/v1/replays", order + "}");

        assertThat(trial.json().path("of").asInt()).as(trial.body()).isEqualTo(1);
        assertThat(started.json().path("state").asText()).as(started.body()).isEqualTo("RUNNING");
        assertThat(started.json().path("who").asText()).isEqualTo("admin-ann");
        String id = started.json().path("id").asText();
        assertThat(scene.get("/v1/replays/" + id).json().path("rate").asInt()).isEqualTo(5);
        assertThat(scene.post("/v1/replays/" + id + "/resume", REASON).code()).isEqualTo(409);
        assertThat(scene.post("/v1/replays/" + id + "/cancel", REASON)
                        .json()
                        .path("state")
                        .asText())
                .isEqualTo("CANCELLED");
        assertThat(recorded(id)).allMatch(one -> one.startsWith("admin-ann ")).hasSize(2);
        assertThat(scene.post("/v1/replays", "{\"reason\": \"x\"}").code()).isEqualTo(400);
    }

    @Test
    void pruningIsTriedAndDoneAsAJob() {
        Reply trial = scene.post("/v1/prune", "{\"reason\": \"x\", \"dry_run\": true}");
        Reply started = scene.post("/v1/prune", "{\"reason\": \"tidy\"}");

        assertThat(trial.json().path("events").asInt()).as(trial.body()).isZero();
        assertThat(started.code()).as(started.body()).isEqualTo(202);
        String job = "/v1/jobs/" + started.json().path("job").asText();
        Await.until("it is pruned", () -> state(job).equals("done"));
        assertThat(scene.get(job).json().path("result").path("events").isNumber())
                .isTrue();
        assertThat(scene.rows("SELECT who FROM posthorn.operator_action WHERE action = 'prune' AND reason = 'tidy'"))
                .containsExactly("admin-ann");
    }

    @Test
    void aTestOfARouteWithoutARelayTellsWhereItIsStuck() {
        Reply reply = scene.post("/v1/routes/main/test", "{\"reason\": \"x\", \"within_seconds\": 1}");

        assertThat(reply.json().path("ok").asBoolean(true)).as(reply.body()).isFalse();
        assertThat(reply.json().path("hops").get(0).path("reached").asBoolean()).isTrue();
        assertThat(reply.json().path("hops").get(1).path("why").asText()).contains("no relay");
        assertThat(recorded(reply.json().path("event_id").asText())).containsExactly("admin-ann test_route x 1");
    }

    @Test
    void anEventThatIsNoneIsNotEmitted() {
        Reply reply = scene.post(
                "/v1/events", "{\"reason\": \"x\", \"domain\": \"not a name\", \"type\": \"a\", \"payload\": 1}");

        assertThat(reply.code()).as(reply.body()).isEqualTo(422);
    }

    private static String state(String job) {
        return scene.get(job).json().path("state").asText();
    }

    private static java.util.List<String> recorded(String target) {
        return scene.rows("SELECT who || ' ' || action || ' ' || coalesce(reason, '') || ' ' || rows FROM"
                + " posthorn.operator_action WHERE target = '" + target + "' ORDER BY id");
    }

    private static String key() {
        return UUID.randomUUID().toString();
    }
}
