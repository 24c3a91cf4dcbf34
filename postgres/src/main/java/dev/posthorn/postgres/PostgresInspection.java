package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Tells how the routes of a schema stand, at a cost that does not grow with the log.
 *
 * <p>Changes nothing. Each method is one statement, so two answers may be of two moments. Needs the rights of a {@link
 * RoleKind#VIEWER}. Thread-safe.
 */
public final class PostgresInspection {

    /** What waits in a lane is not counted any further than this, twice over if much of it committed late. */
    public static final int MOST_COUNTED = 10_000;

    /**
     * One lane of a route.
     *
     * @param owner the relay that holds it now
     * @param movedAt when its newest checkpoint was written
     * @param waiting events that no checkpoint covers, counted up to {@link #MOST_COUNTED}
     * @param waitingSince when the oldest of them was emitted
     */
    public record LaneStatus(
            String route,
            int lane,
            long epoch,
            Optional<String> owner,
            Instant movedAt,
            long waiting,
            Optional<Instant> waitingSince) {}

    /** A relay that has reported to a route, how long ago it last did, and how many lanes it holds now. */
    public record LiveRelay(String route, String name, Instant startedAt, Instant seenAt, Duration silent, int lanes) {}

    /** How much of a route is off the way. */
    public record OffWay(String route, long blockedKeys, long dead, long scheduled) {}

    /** A key that waits. */
    public record BlockedKey(String route, int lane, String key, boolean held, Instant since, Setback setback) {}

    /**
     * An event that failed for good.
     *
     * @param kind its domain and type, with a slash between
     * @param held whether its key waits for a decision about it
     */
    public record DeadEvent(
            String route,
            UUID id,
            Optional<String> kind,
            Optional<String> key,
            boolean held,
            Instant since,
            Setback setback) {}

    /** How often it did not go through, when it is tried next, and why it did not. */
    public record Setback(int attempts, Optional<Instant> nextAttempt, Optional<String> lastError) {}

    private interface Binder {
        void bind(PreparedStatement statement) throws SQLException;
    }

    private interface Mapper<T> {
        T map(ResultSet row) throws SQLException;
    }

    private final DataSource database;
    private final Schema schema;

    public PostgresInspection(DataSource database, Schema schema) {
        this.database = database;
        this.schema = schema;
    }

    /** Every lane of every route. */
    public List<LaneStatus> lanes() {
        return query(
                "inspect_lanes",
                statement -> {
                    statement.setInt(1, MOST_COUNTED);
                    statement.setInt(2, MOST_COUNTED);
                },
                row -> new LaneStatus(
                        row.getString("route"),
                        row.getInt("lane"),
                        row.getLong("epoch"),
                        Optional.ofNullable(row.getString("owner")),
                        time(row, "moved_at"),
                        row.getLong("events"),
                        optionalTime(row, "since")));
    }

    /** Every relay that has reported and not signed off, dead ones included until someone removes them. */
    public List<LiveRelay> relays() {
        return query(
                "inspect_relays",
                statement -> {},
                row -> new LiveRelay(
                        row.getString("route"),
                        row.getString("name"),
                        time(row, "started_at"),
                        time(row, "seen_at"),
                        Duration.ofMillis((long) (row.getDouble("silent_seconds") * 1000)),
                        row.getInt("lanes")));
    }

    /** One entry for each route. */
    public List<OffWay> offWay() {
        return query(
                "inspect_off_way",
                statement -> {},
                row -> new OffWay(
                        row.getString("route"),
                        row.getLong("blocked_keys"),
                        row.getLong("dead"),
                        row.getLong("scheduled")));
    }

    /** The keys that have waited longest. */
    public List<BlockedKey> blockedKeys(int limit) {
        return query(
                "inspect_blocked",
                statement -> statement.setInt(1, limit),
                row -> new BlockedKey(
                        row.getString("route"),
                        row.getInt("lane"),
                        row.getString("key"),
                        row.getBoolean("held"),
                        time(row, "blocked_at"),
                        new Setback(
                                row.getInt("attempts"),
                                optionalTime(row, "next_attempt"),
                                Optional.ofNullable(row.getString("last_error")))));
    }

    /** Events that failed for good, oldest first: of one route or of all, one event or all. */
    public List<DeadEvent> dead(@Nullable String route, @Nullable UUID event, int limit) {
        return query(
                "inspect_dead",
                statement -> {
                    statement.setString(1, route);
                    statement.setString(2, route);
                    statement.setString(3, event == null ? null : event.toString());
                    statement.setString(4, event == null ? null : event.toString());
                    statement.setInt(5, limit);
                },
                row -> new DeadEvent(
                        row.getString("route"),
                        row.getObject("event_id", UUID.class),
                        Optional.ofNullable(row.getString("kind")),
                        Optional.ofNullable(row.getString("key")),
                        row.getBoolean("held"),
                        time(row, "changed_at"),
                        new Setback(
                                row.getInt("attempts"),
                                Optional.empty(),
                                Optional.ofNullable(row.getString("last_error")))));
    }

    private <T> List<T> query(String name, Binder binder, Mapper<T> mapper) {
        try (Connection connection = database.getConnection()) {
            return query(connection, Connections.asRead(Sql.load(name, schema)), binder, mapper);
        } catch (SQLException e) {
            throw OperatorErrors.translate("look at the schema", schema, e);
        }
    }

    private static <T> List<T> query(Connection connection, String sql, Binder binder, Mapper<T> mapper)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            binder.bind(statement);
            try (ResultSet rows = Connections.readAnswer(statement)) {
                List<T> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(mapper.map(rows));
                }
                return found;
            }
        } catch (SQLException e) {
            Connections.rollBackQuietly(connection, e);
            throw e;
        }
    }

    private static Instant time(ResultSet row, String column) throws SQLException {
        return optionalTime(row, column)
                .orElseThrow(() -> new PosthornException("The column " + column + " is empty."));
    }

    private static Optional<Instant> optionalTime(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getTimestamp(column)).map(Timestamp::toInstant);
    }
}
