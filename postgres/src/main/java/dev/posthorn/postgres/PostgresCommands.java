package dev.posthorn.postgres;

import dev.posthorn.commands.Answer;
import dev.posthorn.commands.Attempt;
import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandHandlers;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.commands.CommandStore;
import dev.posthorn.commands.CommandStoreException;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Commands and who runs them, in the database. Needs the rights of a {@link RoleKind#CONSUMER}. */
public final class PostgresCommands implements CommandStore {

    private static final Lease NONE = new Lease("", Duration.ZERO);

    private final DataSource database;
    private final Schema schema;

    public PostgresCommands(DataSource database, Schema schema) {
        this.database = database;
        this.schema = schema;
    }

    /**
     * A runner whose commands, runs and steps are in one database, that of the effects.
     *
     * @param lease how long a step may take before its process is taken for dead
     */
    public static CommandRunner<Connection> runner(
            DataSource database, Schema schema, CommandHandlers<Connection> handlers, Duration lease) {
        return new CommandRunner<>(
                handlers, new PostgresCommands(database, schema), new PostgresWorkflows(database, schema), lease);
    }

    @Override
    public Claim claim(Command command, String handler, Lease lease) {
        return ask(command, handler, true, lease)
                .orElseThrow(() -> new IllegalStateException(command + " was neither taken nor known"));
    }

    @Override
    public Optional<Answer> look(Command command, String handler) {
        return ask(command, handler, false, NONE).map(claim -> ((Claim.Theirs) claim).answer());
    }

    private Optional<Claim> ask(Command command, String handler, boolean mayRun, Lease lease) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            try (PreparedStatement statement = connection.prepareStatement(Sql.load("claim_command", schema))) {
                new Parameters(statement)
                        .text("tenant", command.tenant().orElse(""))
                        .name("handler name", handler)
                        .value(command.id())
                        .name("idempotency key", command.idempotencyKey())
                        .text("domain", command.event().domain())
                        .text("type", command.type())
                        .value(command.bodyHash())
                        .text("correlation ID", command.correlationId().orElse(null))
                        .text("headers", HeadersJson.write("header", EventMessage.headersOf(command.event())))
                        .value(command.event().payloadBytes())
                        .value(mayRun)
                        .name("owner", lease.owner())
                        .value(lease.time().toMillis());
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return claim(row, command, lease);
                }
            }
        } catch (SQLException failed) {
            throw new CommandStoreException(
                    "What is known of " + command + " can not be read or written: " + DatabaseFailure.reasonOf(failed),
                    failed);
        }
    }

    private static Optional<Claim> claim(ResultSet row, Command command, Lease lease) throws SQLException {
        @Nullable String outcome = row.getString("outcome");
        if (outcome == null) {
            return Optional.empty();
        }
        UUID run = row.getObject("run", UUID.class);
        int attempt = row.getInt("attempt");
        return Optional.of(
                switch (outcome) {
                    case "MINE" -> new Claim.Ours(new Attempt(run, attempt, lease.time()));
                    case "DONE" -> new Claim.Theirs(new Answer.Done(run, row.getString("result")));
                    case "FAILED" -> new Claim.Theirs(new Answer.Failed(run, attempt, row.getString("error")));
                    case "RUNNING" ->
                        new Claim.Theirs(
                                new Answer.Running(run, attempt, Duration.ofMillis(row.getLong("remaining_ms"))));
                    default ->
                        new Claim.Theirs(new Answer.Conflict(
                                run,
                                "The " + row.getString("error") + " was used for another command than " + command
                                        + ". Give each its own."));
                });
    }

    @Override
    public Optional<Lapsed> claimLapsed(Set<String> handlers, Lease lease) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            try (PreparedStatement statement = connection.prepareStatement(Sql.load("claim_lapsed_run", schema))) {
                new Parameters(statement)
                        .names("handler name", handlers)
                        .name("owner", lease.owner())
                        .value(lease.time().toMillis());
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? Optional.of(lapsed(row, lease)) : Optional.empty();
                }
            }
        } catch (SQLException failed) {
            throw new CommandStoreException("Runs can not be taken over: " + DatabaseFailure.reasonOf(failed), failed);
        }
    }

    private static Lapsed lapsed(ResultSet row, Lease lease) throws SQLException {
        return new Lapsed(
                new Attempt(row.getObject("run", UUID.class), row.getInt("attempt"), lease.time()),
                row.getString("handler"),
                new Message(Looks.map(row, "headers"), row.getBytes("body")));
    }
}
