package dev.posthorn.examples.openpaw;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.EventHandler;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Projects what authors did into points. The points have a key of their own, so also without the inbox nothing counts twice.
 * Arrivals have none, so that a second one would be seen.
 */
public final class Reputation {

    private static final String ARRIVAL = """
            INSERT INTO reputation.arrivals (event_id, type, site, asset_id, version) VALUES (?, ?, ?, ?, ?)
            """;
    private static final String POINTS = """
            INSERT INTO reputation.points (site, asset_id, version, what, author, points) VALUES (?, ?, ?, ?, ?, ?::numeric)
            ON CONFLICT (site, asset_id, version, what) DO NOTHING
            """;

    private Reputation() {}

    static EventHandler<Connection> handler() {
        return EventHandler.of((event, connection) -> {
            AssetVersion version = AssetVersion.of(event);
            note(connection, event, version);
            if (event.type().equals(Openpaw.REWARD_SETTLED)) {
                give(connection, version, "reward", AssetVersion.amountOf(event));
            } else if (!version.isCopy()) {
                give(connection, version, "version", "1");
            }
        });
    }

    private static void note(Connection connection, Event event, AssetVersion version) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(ARRIVAL)) {
            insert.setObject(1, event.id());
            insert.setString(2, event.type());
            insert.setString(3, version.site().word());
            insert.setString(4, version.asset());
            insert.setInt(5, version.number());
            insert.executeUpdate();
        }
    }

    private static void give(Connection connection, AssetVersion version, String what, String points)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(POINTS)) {
            insert.setString(1, version.site().word());
            insert.setString(2, version.asset());
            insert.setInt(3, version.number());
            insert.setString(4, what);
            insert.setString(5, version.author());
            insert.setString(6, points);
            insert.executeUpdate();
        }
    }
}
