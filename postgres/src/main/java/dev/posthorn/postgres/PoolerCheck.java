package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/**
 * Whether the driver prepares statements on the server while a pooler hands out another server with each transaction.
 *
 * <p>A pooler does not say what it is. But two sessions that are open at a time and have the same server process, or one that
 * changes its process, are pooled by transaction; and a pooler that knows prepared statements gives them names of its own.
 */
final class PoolerCheck {

    private static final int TRIES = 3;
    private static final String NAME_OF_ITSELF = "SELECT p.name FROM pg_catalog.pg_prepared_statements AS p"
            + " WHERE p.statement LIKE '%the doctor looks for its name%'";

    private PoolerCheck() {}

    static boolean look(Examination of) throws SQLException {
        Connection one = of.connection();
        boolean prepares = one.isWrapperFor(PGConnection.class)
                && one.unwrap(PGConnection.class).getPrepareThreshold() > 0;
        if (prepares && isPooledByTransaction(of) && keepsNames(one)) {
            of.found(found());
        }
        return true;
    }

    /** The finding, whether it was looked for or met on the way to something else. */
    static PostgresDoctor.Finding found() {
        return new PostgresDoctor.Finding(
                "pooler",
                true,
                "a pooler in transaction mode that knows no prepared statements, and a driver that prepares them",
                "A statement is prepared on one server and missing on the next, so a relay fails with SQLState 26000 or"
                        + " 42P05 and publishes nothing. Add prepareThreshold=0 to the database URL, or use PgBouncer"
                        + " 1.21 or later with max_prepared_statements above 0.");
    }

    private static boolean isPooledByTransaction(Examination of) throws SQLException {
        try (Connection other = of.database().getConnection()) {
            other.setAutoCommit(true);
            int before = process(of.connection());
            for (int i = 0; i < TRIES; i++) {
                int others = process(other);
                int own = process(of.connection());
                if (own != before || own == others) {
                    return true;
                }
            }
            return false;
        }
    }

    private static int process(Connection connection) throws SQLException {
        try (Statement ask = connection.createStatement();
                ResultSet row = ask.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** Prepares a statement in a transaction, which stays on one server, and removes it there. */
    private static boolean keepsNames(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement ask = connection.prepareStatement(NAME_OF_ITSELF);
                Statement remove = connection.createStatement()) {
            ask.unwrap(PGStatement.class).setPrepareThreshold(1);
            boolean kept = false;
            try (ResultSet rows = ask.executeQuery()) {
                if (rows.next() && rows.getString(1).matches("S_\\d+")) {
                    kept = true;
                    remove.execute("DEALLOCATE " + Identifiers.quote(rows.getString(1)));
                }
            }
            connection.commit();
            return kept;
        } catch (SQLException failed) {
            connection.rollback();
            if (DatabaseFailure.isStatementTrouble(failed)) {
                return true;
            }
            throw failed;
        } finally {
            connection.setAutoCommit(true);
        }
    }
}
