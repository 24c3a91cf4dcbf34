package dev.posthorn.examples.transfers;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.outbox.Outbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** The service that knows by which rail a payee is reached, and publishes each change. Thread-safe. */
public final class Directory {

    /** The rail of payees without an entry. */
    public static final String STANDARD_RAIL = "usdc";

    private static final String REROUTE = """
            INSERT INTO directory.route (payee, rail) VALUES (?, ?)
            ON CONFLICT (payee) DO UPDATE SET rail = excluded.rail, version = route.version + 1
            RETURNING version
            """;
    private static final String RAIL = "SELECT rail FROM directory.route WHERE payee = ?";

    private final DataSource database;
    private final Outbox outbox;

    public Directory(DataSource database, Outbox outbox) {
        this.database = database;
        this.outbox = outbox;
    }

    // docs:start:transfers-directory
    /** Writes a payee's rail and the event that it has changed, in the connection's transaction. Returns the event's id. */
    public UUID reroute(Connection connection, String payee, String rail) throws SQLException {
        try (PreparedStatement upsert = connection.prepareStatement(REROUTE)) {
            upsert.setString(1, payee);
            upsert.setString(2, rail);
            try (ResultSet row = upsert.executeQuery()) {
                row.next();
                Event changed = Envelope.ofRoute(payee, rail, row.getLong(1));
                outbox.emit(connection, changed);
                return changed.id();
            }
        }
    }
    // docs:end:transfers-directory

    /** Returns the rail by which a payee is reached now. */
    public String railTo(String payee) {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(RAIL)) {
            select.setString(1, payee);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getString(1) : STANDARD_RAIL;
            }
        } catch (SQLException failed) {
            throw new PosthornException("Cannot look up the rail of " + payee + ".", failed);
        }
    }
}
