package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Tells all that the database knows of one event, but for its payload and headers.
 *
 * <p>Changes nothing. Needs the rights of a {@link RoleKind#VIEWER}. Thread-safe.
 */
public final class PostgresEventStory {

    /**
     * What there is to tell.
     *
     * @param event empty if it is not in the log, or no longer
     * @param routes how it stands on each route that wants it
     * @param happenings in the order of time
     */
    public record Story(UUID id, Optional<Logged> event, List<OnRoute> routes, List<Happening> happenings) {}

    /** What the event is. */
    public record Logged(
            long seq,
            String domain,
            String type,
            Optional<String> key,
            Optional<String> tenant,
            Optional<String> aggregate) {}

    /** How it stands on a route. */
    public record OnRoute(
            String route,
            String state,
            int attempts,
            Optional<Instant> publishedAt,
            Optional<Instant> nextAttempt,
            Optional<String> lastError) {}

    /**
     * One thing that happened to it.
     *
     * @param place the route or consumer
     * @param who the relay or the operator
     */
    public record Happening(
            Instant at, String what, Optional<String> place, Optional<String> who, Optional<String> detail) {}

    private final DataSource database;
    private final Schema schema;

    public PostgresEventStory(DataSource database, Schema schema) {
        this.database = database;
        this.schema = schema;
    }

    /** The story of this event; empty if nobody knows it. */
    public Story of(UUID event) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            return new Story(
                    event,
                    rows(connection, "event_show", event, PostgresEventStory::logged).stream()
                            .findFirst(),
                    rows(connection, "event_routes", event, PostgresEventStory::onRoute),
                    rows(connection, "event_story", event, PostgresEventStory::happening));
        } catch (SQLException e) {
            throw OperatorErrors.translate("look at event " + event + " of schema", schema, e);
        }
    }

    private <T> List<T> rows(Connection connection, String statement, UUID event, Looks.Mapper<T> mapper)
            throws SQLException {
        return Looks.query(
                connection, Connections.asRead(Sql.load(statement, schema)), bind -> bind.value(event), mapper);
    }

    private static Logged logged(ResultSet row) throws SQLException {
        return new Logged(
                row.getLong("seq"),
                row.getString("domain"),
                row.getString("type"),
                text(row, "key"),
                text(row, "tenant"),
                text(row, "aggregate"));
    }

    private static OnRoute onRoute(ResultSet row) throws SQLException {
        return new OnRoute(
                row.getString("route"),
                row.getString("state"),
                row.getInt("attempts"),
                time(row, "published_at"),
                time(row, "next_attempt"),
                text(row, "last_error"));
    }

    private static Happening happening(ResultSet row) throws SQLException {
        return new Happening(
                time(row, "at").orElse(Instant.EPOCH),
                row.getString("what"),
                text(row, "place"),
                text(row, "who"),
                text(row, "detail"));
    }

    private static Optional<String> text(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getString(column));
    }

    private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }
}
