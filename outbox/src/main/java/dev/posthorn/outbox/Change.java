package dev.posthorn.outbox;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One SQL statement of the caller's own, that goes to the database together with events and the commit.
 *
 * @param sql one statement, with {@code ?} for each parameter, as {@link java.sql.Connection#prepareStatement} takes it
 * @param parameters their values, as {@link java.sql.PreparedStatement#setObject(int, Object)} takes them, or null
 */
public record Change(String sql, List<@Nullable Object> parameters) {

    private static final Pattern TRANSACTION_CONTROL = Pattern.compile(
            "\\s*(abort|begin|commit|end|prepare|release|rollback|savepoint|start)\\b", Pattern.CASE_INSENSITIVE);

    /** @throws InvalidChangeException if it is no statement, more than one, or one that begins or ends a transaction */
    public Change {
        if (sql.isBlank()) {
            throw new InvalidChangeException(sql, "it is empty");
        }
        if (sql.indexOf(';') >= 0) {
            throw new InvalidChangeException(
                    sql,
                    "it has a semicolon, and a change is one statement. Run the others before it, and put a text with a"
                            + " semicolon into a parameter");
        }
        if (TRANSACTION_CONTROL.matcher(sql).lookingAt()) {
            throw new InvalidChangeException(sql, "it begins or ends a transaction, which the commit does");
        }
        parameters = Collections.unmodifiableList(new ArrayList<>(parameters));
    }

    /** A statement with the values of its parameters in their order. */
    public static Change of(String sql, @Nullable Object... parameters) {
        return new Change(sql, Arrays.asList(parameters));
    }
}
