package dev.posthorn.postgres;

import dev.posthorn.relay.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.postgresql.PGStatement;

/**
 * Runs the relay's statements: nothing waits longer than the time-out, nothing leaves session state behind.
 *
 * <p>A read is one plain statement where the connections bring {@link PlainPlans} along. Where they do not, it runs as
 * {@code BEGIN; set_config(…, local); SELECT; COMMIT}, sent together: one round trip too, no xid. Which of the two is
 * asked once at the start; a pooler may hand out other connections later, so a heading row says it again with each read.
 * A transaction that writes begins with the settings, if need be, in the round trip of its first statement.
 */
final class Connections {

    private static final String WITH_SETTINGS =
            "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; " + PlainPlans.SET_LOCAL + "; %s; COMMIT";

    /** A write on a standby, or on a server that was made read-only. */
    private static final String READ_ONLY = "25006";

    private static final String ON_A_STANDBY =
            " The server is a standby or was made read-only, so this session is ended."
                    + " Point the database URL to the primary; with several hosts, add targetServerType=primary.";

    private static final int RESULTS_BEFORE_READ = 2;
    private static final int RESULTS_BEFORE_FIRST = 1;

    private final DataSource dataSource;
    private final Duration timeout;
    private final Map<String, String> withSettings = new ConcurrentHashMap<>();
    private final Primary primary = new Primary();
    private volatile boolean plansArePlain;

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

    /** Asks whether the connections bring {@link PlainPlans} along. */
    void askForPlans() {
        plansArePlain = change("ask for planner settings", "SELECT " + PlainPlans.IN_FORCE, bind -> {}, rows -> {
            rows.next();
            return rows.getBoolean(1);
        });
    }

    /** What a read found; a single connection without the settings is enough to send them along from now on. */
    void foundPlans(boolean plain) {
        if (!plain) {
            plansArePlain = false;
        }
    }

    /**
     * Whatever an answer says must be of the primary; otherwise the session it came from is ended, so that no pool hands it
     * out again.
     *
     * @return the incarnation
     */
    String ofPrimary(String incarnation) throws SQLException {
        return primary.checked(incarnation);
    }

    /** A read that brings the settings along, for whoever has no {@link Connections}. */
    static String asRead(String sql) {
        return String.format(WITH_SETTINGS, sql);
    }

    /** Runs what {@link #asRead} made; the caller rolls back if it fails. */
    static ResultSet readAnswer(PreparedStatement statement) throws SQLException {
        return answer(statement, RESULTS_BEFORE_READ);
    }

    /** A read that is a part of an open transaction, with plain plans for the rest of it. */
    static String asPart(String sql) {
        return PlainPlans.SET_LOCAL + "; " + sql;
    }

    /** Runs what {@link #asPart} made. */
    static ResultSet partAnswer(PreparedStatement statement) throws SQLException {
        return answer(statement, RESULTS_BEFORE_FIRST);
    }

    /** Runs the first statement of a transaction that writes, with plain plans for all of it. */
    <T> T first(Connection connection, String sql, Binder binder, Mapper<T> mapper) throws SQLException {
        boolean alone = plansArePlain;
        String whole = alone ? sql : asPart(sql);
        try (PreparedStatement statement = connection.prepareStatement(whole)) {
            binder.bind(new Parameters(statement));
            try (ResultSet rows = answer(statement, alone ? 0 : RESULTS_BEFORE_FIRST)) {
                return mapper.map(rows);
            }
        }
    }

    private static ResultSet answer(PreparedStatement statement, int resultsBefore) throws SQLException {
        statement.execute();
        for (int i = 0; i < resultsBefore; i++) {
            statement.getMoreResults();
        }
        return statement.getResultSet();
    }

    /** One read. */
    <T> T read(String what, String sql, Binder binder, Mapper<T> mapper) {
        return plansArePlain
                ? change(what, sql, binder, mapper)
                : readWithSettings(what, withSettings.computeIfAbsent(sql, Connections::asRead), binder, mapper);
    }

    private <T> T readWithSettings(String what, String sql, Binder binder, Mapper<T> mapper) {
        return with(what, connection -> {
            connection.setAutoCommit(true);
            try (PreparedStatement statement = prepared(connection, sql)) {
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

    /**
     * Prepared on the server at the first use: from the second on payloads come as bytes and not as hexadecimal text.
     * The driver would wait for the fifth use on each of the pool's connections. Not where it was told to prepare
     * nothing.
     */
    private static PreparedStatement prepared(Connection connection, String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        if (statement.isWrapperFor(PGStatement.class)) {
            PGStatement driver = statement.unwrap(PGStatement.class);
            if (driver.getPrepareThreshold() > 0) {
                driver.setPrepareThreshold(1);
            }
        }
        return statement;
    }

    /** One statement that answers rows, in a transaction of its own. */
    <T> T change(String what, String sql, Binder binder, Mapper<T> mapper) {
        return with(what, connection -> {
            connection.setAutoCommit(true);
            try (PreparedStatement statement = prepared(connection, sql)) {
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
            T result;
            try {
                result = work.run(connection);
                connection.commit();
            } catch (Throwable failed) {
                rollBack(connection, failed);
                throw failed;
            }
            connection.setAutoCommit(true);
            return result;
        });
    }

    /**
     * Nothing of a transaction is kept, whatever was thrown in it. To switch back to auto-commit would commit what is open, so
     * a connection that cannot be rolled back is ended.
     */
    private static void rollBack(Connection connection, Throwable cause) throws SQLException {
        try {
            connection.rollback();
        } catch (Throwable notRolledBack) {
            cause.addSuppressed(notRolledBack);
            connection.abort(Runnable::run);
            return;
        }
        connection.setAutoCommit(true);
    }

    private <T> T with(String what, Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(timeout.toMillis()));
            return onPrimary(connection, work);
        } catch (SQLException failed) {
            throw new StoreException(
                    "Could not " + what + " (SQLState " + failed.getSQLState() + "): " + reasonOf(failed)
                            + hintFor(failed),
                    failed);
        }
    }

    /** A pool sees nothing wrong with a session on a standby and would keep it for long, also after a failover. */
    private static <T> T onPrimary(Connection connection, Work<T> work) throws SQLException {
        try {
            return work.run(connection);
        } catch (SQLException failed) {
            if (READ_ONLY.equals(failed.getSQLState())) {
                connection.abort(Runnable::run);
            }
            throw failed;
        }
    }

    private static String hintFor(SQLException failed) {
        return READ_ONLY.equals(failed.getSQLState()) ? ON_A_STANDBY : DatabaseFailure.remedyOf(failed);
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
