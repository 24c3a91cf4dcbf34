package dev.posthorn.outbox;

import dev.posthorn.event.PosthornException;
import java.sql.SQLException;

/** The database did not take the events, or the change that was sent with them; the SQLState says why and {@link #isRetryable} what to do. */
public final class EmitFailedException extends PosthornException {

    private static final long serialVersionUID = 1L;

    private final String sqlState;
    private final boolean retryable;

    /** @param withCommit whether the lost call was also to commit, so that a lost connection leaves the end unknown */
    public EmitFailedException(SQLException cause, boolean withCommit) {
        super(messageOf(cause, withCommit), cause);
        this.sqlState = stateOf(cause);
        this.retryable = isConflict(sqlState);
    }

    /** The five characters of the SQL standard, or empty if the driver gave none. */
    public String sqlState() {
        return sqlState;
    }

    /** Whether the same transaction, run again from its beginning, may well succeed: it met another one. */
    public boolean isRetryable() {
        return retryable;
    }

    private static String messageOf(SQLException cause, boolean withCommit) {
        String state = stateOf(cause);
        String said = " Postgres said: " + cause.getMessage() + " (SQLState " + state + ").";
        if (withCommit && state.startsWith("08")) {
            return "The connection was lost while committing; whether the transaction is committed is unknown. Look for"
                    + " its effects, or run it again with EmitOption.IDEMPOTENT and the same ids." + said;
        }
        return "Nothing was emitted. " + adviceFor(state) + said;
    }

    private static String adviceFor(String state) {
        if (isConflict(state)) {
            return "The transaction met another one: roll it back and retry the whole transaction.";
        }
        return switch (state) {
            case "25006" ->
                "The server is a standby or was made read-only: close this connection and run the transaction"
                        + " again on one to the primary.";
            case "25P02" -> "An earlier statement of this transaction failed: roll it back and look for that error.";
            case "42501" -> "The database role lacks a right: to emit it needs those of a producer (grant_role).";
            case "26000", "42P05" ->
                "A pooler in transaction mode does not support prepared statements, such as PgBouncer before 1.21: add"
                        + " prepareThreshold=0 to the database URL, and roll the transaction back.";
            case "55P03", "57014" -> "The database gave up waiting: roll the transaction back and retry it later.";
            default -> "Roll the transaction back.";
        };
    }

    /** Serialisation failure and deadlock: the two states that Postgres documents as "retry". */
    private static boolean isConflict(String state) {
        return state.equals("40001") || state.equals("40P01");
    }

    private static String stateOf(SQLException cause) {
        String state = cause.getSQLState();
        return state == null ? "" : state;
    }
}
