package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Change;
import dev.posthorn.outbox.Commit;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.NoTransactionException;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.outbox.PayloadTooLargeException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Writes events into the outbox table, through any connection to its database.
 *
 * <p>Needs the rights of a {@link RoleKind#PRODUCER}: to INSERT the columns of an event, and none to read. Only {@link
 * EmitOption#IDEMPOTENT} needs EXECUTE on the function {@code emit_once}.
 */
public final class PostgresOutbox implements Outbox {

    private static final Commit NOTHING = new Commit(-1, Emission.NOTHING);

    private final PostgresOutboxConfig config;
    private final EmitStatements statements;

    public PostgresOutbox(PostgresOutboxConfig config) {
        this.config = config;
        this.statements = new EmitStatements(config.schema());
    }

    @Override
    public Emission emit(Connection connection, Collection<Event> events, EmitOption... options) {
        return run(connection, new EmitCall(Optional.empty(), List.copyOf(events), setOf(options)))
                .emission();
    }

    @Override
    public Commit commit(Connection connection, Change change, Collection<Event> events, EmitOption... options) {
        Set<EmitOption> wanted = setOf(options);
        wanted.add(EmitOption.WITH_COMMIT);
        return run(connection, new EmitCall(Optional.of(change), List.copyOf(events), wanted));
    }

    private static Set<EmitOption> setOf(EmitOption... options) {
        Set<EmitOption> set = EnumSet.noneOf(EmitOption.class);
        set.addAll(Arrays.asList(options));
        return set;
    }

    private Commit run(Connection connection, EmitCall call) {
        checkSizes(call.events());
        try {
            if (connection.getAutoCommit()) {
                throw new NoTransactionException();
            }
            return call.isEmpty() ? sendNothing(connection, call) : call.send(connection, statements);
        } catch (SQLException e) {
            throw EmitErrors.translate(e, config.schema(), call);
        }
    }

    private void checkSizes(List<Event> events) {
        for (Event event : events) {
            if (event.payloadSize() > config.maxPayloadBytes()) {
                throw new PayloadTooLargeException(event, config.maxPayloadBytes());
            }
        }
    }

    private static Commit sendNothing(Connection connection, EmitCall call) throws SQLException {
        if (call.commits()) {
            connection.commit();
        }
        return NOTHING;
    }
}
