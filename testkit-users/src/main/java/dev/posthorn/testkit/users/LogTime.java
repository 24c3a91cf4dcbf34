package dev.posthorn.testkit.users;

import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Moves what waits in the log to the test's time. The database has a clock of its own that nobody can move, so the times that
 * are written there are moved the other way. Relays must not run meanwhile: they remember what they read.
 *
 * <p>With a scale, waiting takes so many times longer than it says and is moved by as many times more: then the time that a test
 * itself takes makes nothing due, however slow the machine is.
 */
final class LogTime {

    private final DataSource database;
    private final String schema;
    private final int scale;
    /** Events whose time of their own is in terms of the database's clock by now. */
    private final Set<Long> moved = new HashSet<>();

    LogTime(DataSource database, Schema schema, int scale) {
        this.database = database;
        this.scale = scale;
        this.schema = '"' + schema.name().replace("\"", "\"\"") + '"';
    }

    /** How many events could be published now, or are not read yet. */
    int unsettled() {
        return number("SELECT count(*) FROM {schema}.outbox_status AS s WHERE state = 'PENDING'"
                + " OR (state IN ('RETRYING', 'DELAYED') AND coalesce(next_attempt <= clock_timestamp(), true))"
                + " OR (state = 'DELAYED' AND NOT EXISTS (SELECT FROM {schema}.detour AS d WHERE d.event_id = s.id))");
    }

    /** Events with a deliver-after time were given one on the test's clock, which is ahead by this. Answers how many are new. */
    synchronized int schedule(Duration ahead) {
        return with(connection -> {
            List<Long> fresh = new ArrayList<>();
            try (PreparedStatement find = connection.prepareStatement(
                            in("SELECT DISTINCT seq FROM {schema}.detour WHERE kind = 'SCHEDULED'"));
                    ResultSet rows = find.executeQuery()) {
                while (rows.next()) {
                    if (!moved.contains(rows.getLong(1))) {
                        fresh.add(rows.getLong(1));
                    }
                }
            }
            for (long seq : fresh) {
                move(
                        connection,
                        "UPDATE {schema}.detour SET due = clock_timestamp() + (due - ? * interval '1 millisecond'"
                                + " - clock_timestamp()) * " + scale + " WHERE seq = " + seq,
                        ahead);
            }
            moved.addAll(fresh);
            return fresh.size();
        });
    }

    void advance(Duration test) {
        Duration by = test.multipliedBy(scale);
        with(connection -> {
            move(
                    connection,
                    "UPDATE {schema}.detour SET due = due - ? * interval '1 millisecond' WHERE due IS NOT NULL",
                    by);
            move(
                    connection,
                    "UPDATE {schema}.blocked_key SET next_attempt = next_attempt - ? * interval '1 millisecond'",
                    by);
            return 0;
        });
    }

    /** Events that this consumer has handled, in order. */
    List<UUID> handledBy(String consumer) {
        return with(connection -> {
            List<UUID> handled = new ArrayList<>();
            try (PreparedStatement find = connection.prepareStatement(
                    in("SELECT event_id FROM {schema}.inbox WHERE consumer = ? AND NOT dead ORDER BY handled_at"))) {
                find.setString(1, consumer);
                try (ResultSet rows = find.executeQuery()) {
                    while (rows.next()) {
                        handled.add(rows.getObject(1, UUID.class));
                    }
                }
            }
            return handled;
        });
    }

    private void move(Connection connection, String sql, Duration by) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(in(sql))) {
            statement.setLong(1, by.toMillis());
            statement.executeUpdate();
        }
    }

    private interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    private int number(String sql) {
        return with(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(in(sql));
                    ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        });
    }

    private String in(String sql) {
        return sql.replace("{schema}", schema);
    }

    private <T> T with(Work<T> work) {
        try (Connection connection = database.getConnection()) {
            return work.run(connection);
        } catch (SQLException failed) {
            throw new PosthornException("The log of the test can not be looked at: " + failed.getMessage(), failed);
        }
    }
}
