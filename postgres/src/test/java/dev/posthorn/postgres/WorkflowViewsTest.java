package dev.posthorn.postgres;

import static dev.posthorn.postgres.CommandScene.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.commands.Command;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** workflow_runs and workflow_step_logs of a system that starts workflows by commands. */
class WorkflowViewsTest {

    private CommandScene scene;
    private TestRole service;

    @BeforeEach
    void open() throws SQLException {
        scene = new CommandScene();
        SeedViews views = SeedViews.workflows(Schema.DEFAULT, new Schema("orchestrator"));
        views.create(scene.postgres.dataSource());
        views.create(scene.postgres.dataSource());
        service = TestRole.create(scene.postgres);
        views.grant(scene.postgres.dataSource(), service.name());
        scene.postgres.run("ALTER ROLE " + Identifiers.quote(service.name()) + " SET search_path = orchestrator");
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void showRunsAndTheirSteps() throws SQLException {
        AtomicBoolean broken = new AtomicBoolean(true);
        Command command = command("acme", "key-1", "{}");
        var runner = scene.runner((any, workflow) -> {
            workflow.effect("reserve", connection -> {});
            workflow.effect("ship", connection -> {
                if (broken.getAndSet(false)) {
                    throw new IllegalStateException("no trucks");
                }
            });
            return "shipped";
        });
        runner.call(command);
        runner.call(command);

        assertThat(service.rows(
                        "SELECT handler_name, command_type, command_id, idempotency_key, tenant_id, status, attempt,"
                                + " result, error, finished_at >= started_at FROM workflow_runs"))
                .containsExactly("shipping|ship-order|" + command.id() + "|key-1|acme|done|2|shipped||t");
        assertThat(service.rows("SELECT l.step_name, l.status, l.attempt, l.error FROM workflow_step_logs l"
                        + " JOIN workflow_runs r USING (run_id) ORDER BY l.id"))
                .containsExactly("reserve|done|1|", "ship|failed|1|IllegalStateException: no trucks", "ship|done|2|");
    }

    @Test
    void areNotWrittenByAnybodyElse() throws SQLException {
        try (Connection connection = service.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS workflow_runs (run_id uuid PRIMARY KEY)");
            assertThat(statement.getWarnings().getMessage()).contains("already exists, skipping");
        }
        assertThatThrownBy(() -> service.run("INSERT INTO workflow_runs (run_id) VALUES (gen_random_uuid())"))
                .hasMessageContaining("stop the old command consumer");
        assertThatThrownBy(() -> service.run("INSERT INTO workflow_step_logs (step_name) VALUES ('x')"))
                .hasMessageContaining("stop the old command consumer");
        assertThatThrownBy(() -> service.run("UPDATE workflow_runs SET status = 'done'"))
                .hasMessageContaining("nothing in workflow_runs can be updated");
        service.run("DELETE FROM workflow_step_logs");
        service.assertMayNot("SELECT * FROM posthorn.workflow_run");
    }
}
