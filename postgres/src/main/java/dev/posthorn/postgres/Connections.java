package dev.posthorn.postgres;

import dev.posthorn.relay.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Runs the relay's statements: nothing waits longer than the time-out, nothing leaves session state behind.
 *
 * <p>Reads run as {@code BEGIN; set_config(…, local); SELECT; COMMIT}, sent together: one round trip, no xid. The local
 * settings take JIT and every plan but an index scan from the planner. Otherwise a plan made while the table was empty,
 * and kept by a server-prepared statement, would scan a table that has long grown to millions. A transaction that writes
 * begins with the same settings, in the round trip of its first statement.
 */
final class Connections {

    private static final String PLAIN_PLANS = "SELECT set_config('jit', 'off', true),"
            + " set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),"
            + " set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)";

    /** What a read is wrapped in; the number of results before the one that counts is {@link #RESULTS_BEFORE}. */
    private static final String READ =
            "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; " + PLAIN_PLANS + "; %s; COMMIT";

    private static final int RESULTS_BEFORE = 2;
    private static final int SETTINGS_BEFORE = 1;

    private final DataSource dataSource;
    private final Duration timeout;

    Connections(DataSource dataSource, Duration timeout) {
        this.dataSource = dataSource;
        this.timeout = timeout;
    }

    interface Binder {
        void bind(Parameters parameters) throws SQLException;
    }

    interface Mapper<T> {
        T map(ResultSet rows) throws SQLException;
    }

    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    /** The statement as {@link #read} runs it. */
    static String asRead(String sql) {
        return String.format(READ, sql.replace("%", "%%"));
    }

    static String plainPlans() {
        return PLAIN_PLANS;
    }

    /** The first statement of a transaction whose plans shall be plain; its rows come from {@link #firstAnswer}. */
    static String asFirst(String sql) {
        return PLAIN_PLANS + "; " + sql;
    }

    /** Runs what {@link #asRead} made; the caller rolls back if it fails. */
    static ResultSet readAnswer(PreparedStatement statement) throws SQLException {
        return answer(statement, RESULTS_BEFORE);
    }

    /** Runs what {@link #asFirst} made. */
    static ResultSet firstAnswer(PreparedStatement statement) throws SQLException {
        return answer(statement, SETTINGS_BEFORE);
    }

    private static ResultSet answer(PreparedStatement statement, int resultsBefore) throws SQLException {
        statement.execute();
        for (int i = 0; i < resultsBefore; i++) {
            statement.getMoreResults();
        }
        return statement.getResultSet();
    }

    /** One read; {@code sql} comes from {@link #asRead}. */
    <T> T read(String what, String sql, Binder binder, Mapper<T> mapper) {
        return with(what, connection -> {
            connection.setAutoCommit(true);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                binder.bind(new Parameters(statement));
                try (ResultSet rows = readAnswer(statement)) {
                    return mapper.map(rows);
                }
            } catch (SQLException failed) {
                rollBackQuietly(connection, failed);
                throw failed;
            }
        });
    }

    /** One statement that changes something and answers rows, in a transaction of its own. */
    <T> T change(String what, String sql, Binder binder, Mapper<T> mapper) {
        return with(what, connection -> {
            connection.setAutoCommit(true);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                binder.bind(new Parameters(statement));
                try (ResultSet rows = statement.executeQuery()) {
                    return mapper.map(rows);
                }
            }
        });
    }

    /** One statement that changes something; answers how many rows. */
    int update(String what, String sql, Binder binder) {
        return with(what, connection -> {
            connection.setAutoCommit(true);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                binder.bind(new Parameters(statement));
                return statement.executeUpdate();
            }
        });
    }

    /** Several statements in one transaction. */
    <T> T transaction(String what, Work<T> work) {
        return with(what, connection -> {
            connection.setAutoCommit(false);
            try {
                T result = work.run(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException failed) {
                try {
                    connection.rollback();
                } catch (SQLException alsoFailed) {
                    failed.addSuppressed(alsoFailed);
                }
                throw failed;
            } finally {
                connection.setAutoCommit(true);
            }
        });
    }

    private <T> T with(String what, Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(timeout.toMillis()));
            return work.run(connection);
        } catch (SQLException failed) {
            throw new StoreException(
                    "Could not " + what + " (SQLState " + failed.getSQLState() + "): " + reasonOf(failed), failed);
        }
    }

    /** A pool says only that it has no connection; what the server or the network said is behind that. */
    private static String reasonOf(SQLException failed) {
        Throwable cause = failed.getCause();
        return cause instanceof SQLException first
                ? failed.getMessage() + ": " + first.getMessage()
                : String.valueOf(failed.getMessage());
    }

    static void rollBackQuietly(Connection connection, SQLException cause) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("ROLLBACK");
        } catch (SQLException alsoFailed) {
            cause.addSuppressed(alsoFailed);
        }
    }
}
