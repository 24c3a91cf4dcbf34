package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.outbox.DuplicateEventException;
import dev.posthorn.outbox.EmitFailedException;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.SchemaMissingException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Turns what Postgres says about an emit into what the caller can do. */
final class EmitErrors {

    private static final String UNIQUE_VIOLATION = "23505";
    private static final String DUPLICATE_ID = "outbox_id";
    /** No such table, schema or function. */
    private static final Set<String> MISSING = Set.of("42P01", "3F000", "42883");

    private EmitErrors() {}

    static PosthornException translate(SQLException error, Schema schema, List<Event> events, Set<EmitOption> options) {
        String state = String.valueOf(error.getSQLState());
        if (MISSING.contains(state)) {
            return new SchemaMissingException(schema.name(), error);
        }
        if (state.equals(UNIQUE_VIOLATION) && isAboutIds(error, schema)) {
            List<UUID> ids = events.stream().map(Event::id).toList();
            return new DuplicateEventException(ids, error);
        }
        return new EmitFailedException(error, options.contains(EmitOption.WITH_COMMIT));
    }

    /** A deferred constraint of the caller's own tables may fail in the same call, so the name decides. */
    private static boolean isAboutIds(SQLException error, Schema schema) {
        if (!(error instanceof PSQLException postgres)) {
            return false;
        }
        ServerErrorMessage message = postgres.getServerErrorMessage();
        return message != null
                && DUPLICATE_ID.equals(message.getConstraint())
                && schema.name().equals(message.getSchema());
    }
}
