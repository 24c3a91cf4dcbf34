package dev.posthorn.postgres;

import dev.posthorn.event.Failure;
import java.sql.SQLException;
import java.util.Set;

/** Texts about failures of the database that name the remedy where one is known. */
public final class DatabaseFailure {

    /** A prepared statement is missing, or exists already: the driver is on another connection than it assumes. */
    private static final Set<String> STATEMENT_TROUBLE = Set.of("26000", "42P05");

    static final String BEHIND_A_POOLER =
            "This happens behind a pooler in transaction mode that does not support prepared statements, such as PgBouncer"
                    + " before 1.21: add prepareThreshold=0 to the database URL.";

    private DatabaseFailure() {}

    /** Returns the failure's message, followed by the remedy if one is known. */
    public static String reasonOf(Throwable failed) {
        return failed.getMessage() + remedyOf(failed);
    }

    /** Returns the remedy as a sentence with a leading space, or an empty text. */
    static String remedyOf(Throwable failed) {
        return isStatementTrouble(failed) ? " " + BEHIND_A_POOLER : "";
    }

    static boolean isStatementTrouble(Throwable failed) {
        return Failure.chainOf(failed).stream()
                .anyMatch(cause -> cause instanceof SQLException sql
                        && STATEMENT_TROUBLE.contains(String.valueOf(sql.getSQLState())));
    }
}
