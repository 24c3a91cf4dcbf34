package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import dev.posthorn.outbox.DuplicateEventException;
import dev.posthorn.outbox.EmitFailedException;
import dev.posthorn.outbox.SchemaMissingException;
import java.sql.SQLException;
import java.util.Set;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Turns what Postgres says about an emit into what the caller can do. */
final class EmitErrors {

    private static final String UNIQUE_VIOLATION = "23505";
    private static final String DUPLICATE_ID = "outbox_id";
    /** No such table, schema or function. */
    private static final Set<String> MISSING = Set.of("42P01", "3F000", "42883");

    private EmitErrors() {}

    static PosthornException translate(SQLException error, Schema schema, EmitCall call) {
        String state = String.valueOf(error.getSQLState());
        if (MISSING.contains(state) && (call.change().isEmpty() || names(error, schema))) {
            return new SchemaMissingException(schema.name(), error);
        }
        if (state.equals(UNIQUE_VIOLATION) && isAboutIds(error, schema)) {
            return new DuplicateEventException(call.ids(), error);
        }
        return new EmitFailedException(error, call.commits());
    }

    /** The caller's change may miss something of its own. What is missing is told in the message only, in any language. */
    private static boolean names(SQLException error, Schema schema) {
        String said = String.valueOf(error.getMessage());
        return said.contains(schema.name() + ".") || said.contains('"' + schema.name() + '"');
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
