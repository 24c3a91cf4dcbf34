package dev.posthorn.postgres;

import dev.posthorn.commands.Attempt;
import dev.posthorn.commands.CommandStoreException;
import dev.posthorn.commands.RunLostException;
import dev.posthorn.commands.Step;
import dev.posthorn.commands.WorkflowStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of workflow runs, in the database of their effects. Needs the rights of a {@link RoleKind#CONSUMER}.
 *
 * <p>A step that is done is marked in its own transaction, which holds the row of its run until it has committed: nobody can
 * take the run over between the look at the attempt and the commit.
 */
public final class PostgresWorkflows implements WorkflowStore<Connection> {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresWorkflows.class);

    private static final String STEP = "step name";

    private final DataSource database;
    private final Schema schema;

    public PostgresWorkflows(DataSource database, Schema schema) {
        this.database = database;
        this.schema = schema;
    }

    private interface Use<R> {
        R with(ResultSet row) throws SQLException;
    }

    private <R> R ask(Connection connection, String statement, Connections.Binder binder, Use<R> use)
            throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(Sql.load(statement, schema))) {
            binder.bind(new Parameters(prepared));
            try (ResultSet row = prepared.executeQuery()) {
                row.next();
                return use.with(row);
            }
        }
    }

    private <R> R alone(Attempt attempt, String statement, Connections.Binder binder, Use<R> use) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            return ask(connection, statement, binder, use);
        } catch (SQLException failed) {
            throw new CommandStoreException(
                    "Run " + attempt.run() + " can not be read or written: " + DatabaseFailure.reasonOf(failed),
                    failed);
        }
    }

    private static void kept(Attempt attempt, boolean kept) {
        if (!kept) {
            throw new RunLostException(attempt);
        }
    }

    @Override
    public Optional<String> begin(Attempt attempt, String step) {
        return alone(
                attempt,
                "begin_step",
                bind -> of(attempt, bind).name(STEP, step).value(attempt.lease().toMillis()),
                row -> {
                    String outcome = row.getString("outcome");
                    kept(attempt, !"LOST".equals(outcome));
                    String result = row.getString("result"); // null where an earlier version kept one that was null
                    return "DONE".equals(outcome) ? Optional.of(result == null ? "" : result) : Optional.empty();
                });
    }

    @Override
    public String run(Attempt attempt, String step, Step<Connection> work) throws Exception {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            boolean committed = false;
            try {
                String result = work.run(connection);
                kept(
                        attempt,
                        ask(
                                connection,
                                "finish_step",
                                bind -> of(attempt, bind)
                                        .name(STEP, step)
                                        .value(attempt.lease().toMillis())
                                        .text("result of step " + step, result),
                                row -> row.getBoolean(1)));
                connection.commit();
                committed = true;
                return result;
            } finally {
                if (!committed) {
                    undo(connection);
                }
            }
        }
    }

    private static void undo(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            LOG.debug("A step could not be rolled back; the server does it", broken);
        }
    }

    @Override
    public void renew(Attempt attempt) {
        kept(
                attempt,
                alone(
                        attempt,
                        "renew_run",
                        bind -> of(attempt, bind).value(attempt.lease().toMillis()),
                        row -> row.getBoolean(1)));
    }

    @Override
    public void stepFailed(Attempt attempt, String step, String error) {
        kept(
                attempt,
                alone(
                        attempt,
                        "fail_step",
                        bind -> of(attempt, bind).name(STEP, step).remark(error),
                        row -> row.getBoolean(1)));
    }

    @Override
    public void done(Attempt attempt, String result) {
        end(attempt, result, null);
    }

    @Override
    public void failed(Attempt attempt, String error) {
        end(attempt, null, error);
    }

    private void end(Attempt attempt, @Nullable String result, @Nullable String error) {
        kept(
                attempt,
                alone(
                        attempt,
                        "end_run",
                        bind -> of(attempt, bind)
                                .text("result of the command", result)
                                .remark(error),
                        row -> row.getBoolean(1)));
    }

    private static Parameters of(Attempt attempt, Parameters bind) throws SQLException {
        return bind.value(attempt.run()).value(attempt.number());
    }
}
