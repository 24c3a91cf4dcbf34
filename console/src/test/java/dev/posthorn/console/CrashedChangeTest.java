package dev.posthorn.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.console.Scene.Reply;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A change and its remembered answer are one transaction: if the session dies between the two, neither is there, and a retry with
 * the same key makes the change and answers it.
 */
class CrashedChangeTest {

    private static final String REASON = "{\"reason\": \"a test\"}";

    private static EmbeddedPostgres server;
    private static Scene scene;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        scene = Scene.with(server, Scene.oneForEachRole());
        scene.memberOfBilling();
        scene.run("CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$");
    }

    @AfterAll
    static void stop() {
        scene.close();
        server.close();
    }

    @Test
    void aRedrivenEventIsAnsweredAsRedriven() {
        String id = scene.dieOnRoute("crash", "no queue");

        Reply retried = crashedAndRetried("/v1/dead/redrive", ids(id));

        assertThat(retried.json().path("count").asInt()).as(retried.body()).isEqualTo(1);
        assertThat(recorded(id)).isEqualTo("1");
    }

    @Test
    void aReprocessedLetterIsAnsweredAsReprocessed() {
        String letter = scene.dieInConsumer("no account");

        Reply retried = crashedAndRetried("/v1/dead/reprocess", ids(letter));

        assertThat(retried.json().path("count").asInt()).as(retried.body()).isEqualTo(1);
    }

    @Test
    void discardedLettersAreAnsweredAsDiscarded() {
        String event = scene.dieOnRoute("crash-discard", "no queue");
        String letter = scene.dieInConsumer("no account");

        Reply retried = crashedAndRetried("/v1/dead/discard", ids(event + "\", \"" + letter));

        assertThat(retried.json().path("count").asInt()).as(retried.body()).isEqualTo(2);
    }

    @Test
    void oneThatIsNotDeadLeavesTheOthersAsTheyAre() {
        String id = scene.dieOnRoute("crash-half", "no queue");

        Reply reply = scene.post("/v1/dead/redrive", ids(id + "\", \"" + UUID.randomUUID()));

        assertThat(reply.code()).isEqualTo(404);
        assertThat(scene.one("SELECT kind FROM posthorn.detour WHERE event_id = '" + id + "'"))
                .isEqualTo("FAILED");
    }

    @Test
    void aRouteIsCreatedPausedAndResumedOnce() {
        Reply created = crashedAndRetried("/v1/routes", "{\"reason\": \"a test\", \"name\": \"crash\"}");
        Reply paused = crashedAndRetried("/v1/routes/crash/pause", REASON);
        Reply resumed = crashedAndRetried("/v1/routes/crash/resume", REASON);

        assertThat(created.json().path("changed").asBoolean())
                .as(created.body())
                .isTrue();
        assertThat(paused.json().path("changed").asBoolean()).as(paused.body()).isTrue();
        assertThat(resumed.json().path("changed").asBoolean())
                .as(resumed.body())
                .isTrue();
        assertThat(recorded("crash")).isEqualTo("3");
    }

    @Test
    void aConsumerIsPausedAndResumedOnce() {
        Reply paused = crashedAndRetried("/v1/consumers/billing/pause", REASON);
        Reply resumed = crashedAndRetried("/v1/consumers/billing/resume", REASON);

        assertThat(paused.json().path("changed").asBoolean()).as(paused.body()).isTrue();
        assertThat(resumed.json().path("changed").asBoolean())
                .as(resumed.body())
                .isTrue();
    }

    @Test
    void aReplayIsStartedOnceAndCancelledOnce() {
        scene.emit("crashed", "a", "k", "{}");
        String order = "{\"reason\": \"x\", \"route\": \"main\", \"selection\": {\"domains\": [\"crashed\"]}";

        Reply trial = scene.post("/v1/replays", order + ", \"dry_run\": true}");
        Reply started = crashedAndRetried("/v1/replays", order + "}");
        Reply cancelled =
                crashedAndRetried("/v1/replays/" + started.json().path("id").asText() + "/cancel", REASON);

        assertThat(trial.json().path("of").asInt()).as(trial.body()).isEqualTo(1);
        assertThat(scene.one("SELECT count(*) FROM posthorn.replay")).isEqualTo("1");
        assertThat(cancelled.json().path("state").asText()).as(cancelled.body()).isEqualTo("CANCELLED");
    }

    /** The session dies after the change and before its answer is kept; then the same request comes again. */
    private static Reply crashedAndRetried(String path, String body) {
        String key = UUID.randomUUID().toString();
        scene.run("CREATE TRIGGER crash BEFORE UPDATE ON posthorn.workflow_step FOR EACH ROW"
                + " WHEN (NEW.state = 'DONE') EXECUTE FUNCTION crash()");
        Reply crashed = scene.post(path, body, Role.ADMIN, key);
        scene.run("DROP TRIGGER crash ON posthorn.workflow_step");
        assertThat(crashed.code()).as(crashed.body()).isGreaterThanOrEqualTo(500);
        return scene.post(path, body, Role.ADMIN, key);
    }

    private static String ids(String ids) {
        return "{\"reason\": \"x\", \"ids\": [\"" + ids + "\"]}";
    }

    private static String recorded(String target) {
        return scene.one("SELECT count(*) FROM posthorn.operator_action WHERE target = '" + target + "'");
    }
}
