package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a log that was restored from a dump go on where it was.
 *
 * <p>One transaction. Refuses while relays hold lanes; producers wait meanwhile. Leaves a record of who did it and why. A log
 * that needs no rebase is left as it is. Needs the rights of an {@link RoleKind#OPERATOR}. Thread-safe.
 */
public final class PostgresRebase {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresRebase.class);
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /**
     * Why a log needs a rebase.
     *
     * @param moved it was restored here, or copied row by row
     * @param ahead it knows transaction ids that this cluster has not had yet
     * @param lanesMoved its keys have other lanes here than where it comes from
     */
    public record Needs(boolean moved, boolean ahead, boolean lanesMoved) {

        public boolean any() {
            return moved || ahead || lanesMoved;
        }
    }

    /**
     * What a rebase did to a route.
     *
     * @param unread events that it will publish
     * @param blockedKeys keys that wait, as they did before
     * @param repeated of the unread ones those that may have been published before; only if lanes moved
     * @param forgotten dead letters and other detours that the route comes by again; only if lanes moved
     */
    public record RebasedRoute(String route, long unread, long blockedKeys, long repeated, long forgotten) {}

    /** What was found and done; no routes if nothing was needed. */
    public record Report(Needs needs, List<RebasedRoute> routes) {}

    private final DataSource database;
    private final Schema schema;

    public PostgresRebase(DataSource database, Schema schema) {
        this.database = database;
        this.schema = schema;
    }

    /** Whether a rebase is needed, and why. Locks nothing. */
    public Needs needs() {
        try (Connection connection = database.getConnection()) {
            return needs(connection);
        } catch (SQLException e) {
            throw OperatorErrors.translate("look for a restore of schema", schema, e);
        }
    }

    /** Everything that {@link #rebase} does, and takes it back. */
    public Report look() {
        return run(null, false);
    }

    public Report rebase(@Nullable String reason) {
        Report report = run(reason, true);
        if (report.needs().any()) {
            LOG.info("Rebased schema {} ({}): {}", schema.name(), report.needs(), report.routes());
        }
        return report;
    }

    private Report run(@Nullable String reason, boolean commit) {
        try (Connection connection = database.getConnection()) {
            // Before the transaction: who has looked at the outbox in it and then wants it alone, waits for another
            // such one.
            Needs needs = needs(connection);
            connection.setAutoCommit(false);
            try {
                Report report = new Report(needs, rebase(connection, reason));
                if (commit) {
                    connection.commit();
                }
                return report;
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw translate(e);
        }
    }

    private PosthornException translate(SQLException failed) {
        if (LOCK_NOT_AVAILABLE.equals(failed.getSQLState())) {
            return new PosthornException(
                    "Someone uses the outbox of schema \"" + schema.name()
                            + "\" and did not end within 10 s, or a prepared"
                            + " transaction does. Nothing was changed. Look at pg_stat_activity and pg_prepared_xacts, end"
                            + " it, and start again.",
                    failed);
        }
        return OperatorErrors.translate("rebase schema", schema, failed);
    }

    private Needs needs(Connection connection) throws SQLException {
        try (PreparedStatement ask = connection.prepareStatement(Sql.load("rebase_needs", schema));
                ResultSet row = ask.executeQuery()) {
            row.next();
            return new Needs(row.getBoolean("moved"), row.getBoolean("ahead"), row.getBoolean("lanes_moved"));
        }
    }

    private List<RebasedRoute> rebase(Connection connection, @Nullable String reason) throws SQLException {
        try (PreparedStatement rebase = connection.prepareStatement(Sql.load("rebase", schema))) {
            new Parameters(rebase).remark(reason);
            try (ResultSet rows = rebase.executeQuery()) {
                List<RebasedRoute> routes = new ArrayList<>();
                while (rows.next()) {
                    routes.add(new RebasedRoute(
                            rows.getString("route"),
                            rows.getLong("unread"),
                            rows.getLong("blocked_keys"),
                            rows.getLong("repeated"),
                            rows.getLong("forgotten")));
                }
                return routes;
            }
        }
    }
}
