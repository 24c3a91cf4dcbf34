package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.replay.Replay;
import dev.posthorn.replay.Replay.State;
import dev.posthorn.replay.ReplayConfig;
import dev.posthorn.replay.ReplayStep;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Target;
import dev.posthorn.testkit.RecordingTransport;
import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each kind of role is enough for its part in a replay. */
class ReplayRolesTest {

    private final ReplayScene scene = new ReplayScene();

    @BeforeEach
    void emit() throws SQLException {
        scene.emit(
                Event.of("shop", "Placed").key("a").build(),
                Event.of("shop", "Paid").key("b").build());
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"RELAY", "CONSUMER"})
    void aRelayAndAConsumerPublishWhatAnOperatorStarts(RoleKind kind) throws SQLException {
        PostgresReplayDesk desk = new PostgresReplayDesk(login(RoleKind.OPERATOR), Schema.DEFAULT);
        Target target = kind == RoleKind.RELAY ? ReplayScene.MAIN : Target.consumer("billing");
        Replay replay = desk.start(Replay.Request.into(target)
                .selecting(Selection.ALL.withKeys(Set.of("a")))
                .because("lost them"));
        RecordingTransport transport = RecordingTransport.accepting();
        ReplayStep step = new ReplayStep(new ReplayStep.Parts(
                "r",
                target,
                new PostgresReplays(login(kind), Schema.DEFAULT),
                transport.publisher(),
                ReplayConfig.standard()));

        for (int i = 0; i < 10; i++) {
            step.runOnce();
        }

        assertThat(transport.events()).extracting(Event::type).containsExactly("Placed");
        PostgresReplayDesk viewer = new PostgresReplayDesk(login(RoleKind.VIEWER), Schema.DEFAULT);
        Replay done = viewer.find(replay.id());
        assertThat(done.state()).isEqualTo(State.DONE);
        assertThat(done.history().who()).startsWith("Shop's");
        assertThat(done.request().reason()).contains("lost them");
        assertThat(scene.postgres.rows("SELECT who = '" + done.history().who().replace("'", "''")
                        + "', action, reason, rows FROM posthorn.operator_action"))
                .containsExactly("t|start replay|lost them|1");
    }

    @Test
    void anOperatorCancels() throws SQLException {
        PostgresReplayDesk desk = new PostgresReplayDesk(login(RoleKind.OPERATOR), Schema.DEFAULT);
        Replay replay = desk.start(ReplayScene.EVERYTHING);

        desk.cancel(replay.id(), "a mistake");

        assertThat(desk.list()).extracting(Replay::state).containsExactly(State.CANCELLED);
    }

    /** What the pruner would do is asked under the operator's own rights. */
    @Test
    void anOperatorSeesWhatMayGoAlsoWhileAReplayRuns() throws SQLException {
        scene.desk.start(ReplayScene.EVERYTHING);

        assertThat(new PostgresPruner(login(RoleKind.OPERATOR), Schema.DEFAULT, java.time.Duration.ZERO)
                        .look()
                        .events())
                .isZero();
    }

    private javax.sql.DataSource login(RoleKind kind) throws SQLException {
        return TestRole.create(scene.postgres, Schema.DEFAULT, kind).dataSource();
    }
}
