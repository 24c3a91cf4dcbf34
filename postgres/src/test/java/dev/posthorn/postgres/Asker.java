package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One session for the questions of tests to the database that was asked last: who waits for something asks often, and a session of its
 * own for each question costs the server more than the answer. Whoever asks while it is busy gets a session of its own. Thread-safe.
 */
final class Asker {

    private static final String LOST = "08";
    private static final String TERMINATED = "57P";

    private final ReentrantLock busy = new ReentrantLock();
    private @Nullable Connection connection;
    private String place = "";

    List<String> rows(PGSimpleDataSource database, String sql) throws SQLException {
        if (!busy.tryLock()) {
            try (Connection own = database.getConnection()) {
                return TestPostgres.rows(own, sql);
            }
        }
        try {
            return asked(database, sql);
        } finally {
            busy.unlock();
        }
    }

    private List<String> asked(PGSimpleDataSource database, String sql) throws SQLException {
        boolean kept = isAt(database);
        try {
            return TestPostgres.rows(at(database), sql);
        } catch (SQLException failed) {
            leave();
            String state = String.valueOf(failed.getSQLState());
            if (kept && (state.startsWith(LOST) || state.startsWith(TERMINATED))) {
                return TestPostgres.rows(at(database), sql);
            }
            throw failed;
        }
    }

    private boolean isAt(PGSimpleDataSource database) {
        return connection != null && place.equals(placeOf(database));
    }

    private Connection at(PGSimpleDataSource database) throws SQLException {
        if (!isAt(database)) {
            leave();
            connection = database.getConnection();
            place = placeOf(database);
        }
        return Objects.requireNonNull(connection);
    }

    /** Ends the session, for whoever counts sessions or wants to copy or drop the database. */
    void leave() throws SQLException {
        @Nullable Connection left = connection;
        connection = null;
        if (left != null) {
            left.close();
        }
    }

    private static String placeOf(PGSimpleDataSource database) {
        return database.getUrl() + " " + database.getUser();
    }
}
