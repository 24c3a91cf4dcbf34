package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What an operator may do to an event that failed for good on a route.
 *
 * <p>Each call is one transaction and leaves a record of who did what and why. Of two operators who decide about the same
 * event one has their way and the other is told. Needs the rights of an {@link RoleKind#OPERATOR}. Thread-safe.
 */
public final class PostgresDeadEvents {

    private final DataSource database;
    private final Schema schema;

    public PostgresDeadEvents(DataSource database, Schema schema) {
        this.database = database;
        this.schema = schema;
    }

    /** Sends it back to where it died. Returns whether that is in place or out of order, in words. */
    public String redrive(String route, UUID event, @Nullable String reason) {
        return decide("redrive", route, event, reason);
    }

    /** Gives it up for ever. Returns what becomes of its key, in words. */
    public String discard(String route, UUID event, String reason) {
        return decide("discard", route, event, reason);
    }

    private String decide(String verb, String route, UUID event, @Nullable String reason) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(Sql.load(verb, schema))) {
            new Parameters(statement)
                    .name("route name", route)
                    .text("event ID", event.toString())
                    .remark(reason);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        } catch (SQLException e) {
            throw OperatorErrors.translate(verb + " event " + event + " of schema", schema, e);
        }
    }
}
