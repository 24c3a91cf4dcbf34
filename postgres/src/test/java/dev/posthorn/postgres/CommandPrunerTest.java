package dev.posthorn.postgres;

import static dev.posthorn.postgres.CommandScene.command;
import static dev.posthorn.postgres.CommandScene.writing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.commands.Answer;
import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.commands.CommandStore.Lease;
import dev.posthorn.commands.Takeover;
import dev.posthorn.transport.RetryPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands are known for 36 hours after their runs ended. */
class CommandPrunerTest {

    private CommandScene scene;

    @BeforeEach
    void open() throws SQLException {
        scene = new CommandScene();
    }

    @AfterEach
    void close() {
        scene.close();
    }

    private long prune(InboxRetention retention) {
        return new PostgresInboxPruner(scene.postgres.dataSource(), Schema.DEFAULT, retention)
                .prune()
                .commands();
    }

    private void age(int hours) throws SQLException {
        scene.postgres.run("UPDATE posthorn.workflow_run SET ended_at = ended_at - interval '" + hours
                + " hours', until = until - interval '" + hours + " hours'");
    }

    @Test
    void whatEndedGoesWithItsStepsAndMayRunAgain() throws SQLException {
        CommandRunner<Connection> runner = scene.runner(writing());
        Command command = command("key-1", "{}");
        Answer first = runner.call(command);
        age(35);
        assertThat(prune(InboxRetention.standard())).isZero();
        age(2);

        assertThat(prune(InboxRetention.standard())).isEqualTo(1);

        assertThat(scene.rows("SELECT (SELECT count(*) FROM posthorn.command), (SELECT count(*) FROM"
                        + " posthorn.workflow_run), (SELECT count(*) FROM posthorn.workflow_step)"))
                .containsExactly("0|0|0");
        Answer again = runner.call(command);
        assertThat(again).isInstanceOf(Answer.Done.class);
        assertThat(again.run()).isNotEqualTo(first.run());
        assertThat(scene.effects()).hasSize(2);
    }

    @Test
    void whatHasNotEndedStays() throws SQLException {
        new PostgresCommands(scene.pool, Schema.DEFAULT)
                .claim(command("key-1", "{}"), CommandScene.HANDLER, new Lease("dead", Duration.ofMinutes(1)));
        age(1_000);

        assertThat(prune(InboxRetention.standard())).isZero();
        assertThat(scene.runs()).containsExactly("RUNNING|1");
    }

    @Test
    void whatFailedStaysForAsLongAsItsDeadLetter() throws SQLException {
        CommandRunner<Connection> failing = scene.runner((command, workflow) -> {
            workflow.effect("write", connection -> CommandScene.write(connection, "once"));
            throw new IllegalStateException("no");
        });
        failing.call(command("no letter", "{}"));
        new PostgresCommands(scene.pool, Schema.DEFAULT)
                .claim(command("letter", "{}"), CommandScene.HANDLER, new Lease("dead", Duration.ofMinutes(1)));
        scene.lapse();
        new Takeover<>(
                        failing,
                        "orders",
                        new PostgresDeadLetters(scene.pool, Schema.DEFAULT),
                        RetryPolicy.fixed(1, CommandScene.LONG))
                .runOnce();
        age(37);

        assertThat(prune(InboxRetention.standard())).isEqualTo(1);
        assertThat(scene.rows("SELECT idempotency_key FROM posthorn.command")).containsExactly("letter");

        scene.postgres.rows(
                "SELECT posthorn.discard_letters(array_agg(id), 'nobody needs it') FROM posthorn.dead_letter");
        scene.postgres.run("UPDATE posthorn.dead_letter SET changed_at = changed_at - interval '31 days'");
        assertThat(prune(InboxRetention.standard())).isEqualTo(1);
    }

    @Test
    void moreThanAChunkGoesByAnotherRetention() throws SQLException {
        scene.postgres.run(
                "WITH made AS (INSERT INTO posthorn.workflow_run (id, handler, state, owner, until, result, ended_at)"
                        + " SELECT gen_random_uuid(), 'h', 'DONE', 'o', now(), '', now() - interval '2 hours'"
                        + " FROM generate_series(1, 2500) RETURNING id)"
                        + " INSERT INTO posthorn.command (tenant, handler, id, idempotency_key, domain, type, body_hash, headers, body,"
                        + " run_id) SELECT '', 'h', id, id::text, 'd', 't', sha256(''), '{}', '', id FROM made");

        assertThat(prune(InboxRetention.standard().commands(Duration.ofHours(1))))
                .isEqualTo(2_500);
    }
}
