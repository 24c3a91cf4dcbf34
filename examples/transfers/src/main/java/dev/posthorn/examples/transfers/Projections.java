package dev.posthorn.examples.transfers;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.EventHandler;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.ZoneOffset;

/** Feeds the read model of dashboards: a timeline, and how each transfer stands. */
public final class Projections {

    private static final String TIMELINE = """
            INSERT INTO projections.timeline (transfer_id, what, event_id, occurred_at) VALUES (?, ?, ?, ?)
            """;
    private static final String DASHBOARD = """
            INSERT INTO projections.dashboard (transfer_id, tenant, amount, state) VALUES (?, ?, ?::numeric, ?)
            ON CONFLICT (transfer_id) DO UPDATE SET state = excluded.state
            """;

    private Projections() {}

    static EventHandler<Connection> handler() {
        return EventHandler.of((event, connection) -> {
            Transfer transfer = Envelope.read(event).transfer();
            project(connection, event, transfer);
        });
    }

    private static void project(Connection connection, Event event, Transfer transfer) throws SQLException {
        try (PreparedStatement timeline = connection.prepareStatement(TIMELINE);
                PreparedStatement dashboard = connection.prepareStatement(DASHBOARD)) {
            timeline.setString(1, transfer.id());
            timeline.setString(2, event.type());
            timeline.setObject(3, event.id());
            timeline.setObject(4, event.occurredAt().atOffset(ZoneOffset.UTC));
            timeline.executeUpdate();
            dashboard.setString(1, transfer.id());
            dashboard.setString(2, transfer.tenant());
            dashboard.setString(3, transfer.amount());
            dashboard.setString(4, event.type());
            dashboard.executeUpdate();
        }
    }
}
