package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import java.sql.SQLException;
import java.util.Set;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Turns what Postgres says to an operator into what the operator can do. */
final class OperatorErrors {

    /** No such table, schema or function. */
    private static final Set<String> MISSING = Set.of("42P01", "3F000", "42883");

    /** What our own functions raise, each with a hint: no such thing, not in this state, no such kind of role. */
    private static final Set<String> OURS = Set.of("P0002", "55000", "42704", "22023");

    private OperatorErrors() {}

    static PosthornException translate(String what, Schema schema, SQLException error) {
        String state = String.valueOf(error.getSQLState());
        if (MISSING.contains(state)) {
            return new PosthornException(
                    "The schema \"" + schema.name() + "\" is not in this database, or is older than this version. Run"
                            + " the migrations, or correct its name.",
                    error);
        }
        ServerErrorMessage said = error instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
        if (OURS.contains(state) && said != null && said.getHint() != null) {
            return new PosthornException(sentence(said.getMessage()) + " " + said.getHint(), error);
        }
        return new PosthornException(
                "Could not " + what + " \"" + schema.name() + "\": " + error.getMessage() + " (SQLState " + state + ")."
                        + DatabaseFailure.remedyOf(error),
                error);
    }

    private static String sentence(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
    }
}
