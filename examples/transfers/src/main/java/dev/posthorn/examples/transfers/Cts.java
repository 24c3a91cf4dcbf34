package dev.posthorn.examples.transfers;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.outbox.Outbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/** The service that begins transfers, and hears how they went. Thread-safe. */
public final class Cts {

    private static final String SUBMIT = """
            INSERT INTO cts.transfer (id, tenant, amount, payer, payee, state) VALUES (?, ?, ?::numeric, ?, ?, 'submitted')
            """;
    private static final String NOTE = "INSERT INTO cts.timeline (transfer_id, what, event_id) VALUES (?, ?, ?)";
    private static final String ADVANCE = "UPDATE cts.transfer SET state = ? WHERE id = ?";

    private final Outbox outbox;
    private final RouteCache routes;

    public Cts(Outbox outbox, RouteCache routes) {
        this.outbox = outbox;
        this.routes = routes;
    }

    // docs:start:transfers-submit
    /** Writes a transfer and its event, in the connection's transaction. Returns the event's id. */
    public UUID submit(Connection connection, Transfer transfer) throws SQLException {
        String rail = routes.routeTo(transfer.payee());
        Event event = Envelope.of(Envelope.SUBMITTED + rail, transfer, null);
        try (PreparedStatement insert = connection.prepareStatement(SUBMIT)) {
            insert.setString(1, transfer.id());
            insert.setString(2, transfer.tenant());
            insert.setString(3, transfer.amount());
            insert.setString(4, transfer.payer());
            insert.setString(5, transfer.payee());
            insert.executeUpdate();
        }
        note(connection, transfer.id(), "submitted", event.id());
        outbox.emit(connection, event);
        return event.id();
    }
    // docs:end:transfers-submit

    /** Updates a transfer's state and timeline. */
    EventHandler<Connection> inbound() {
        return EventHandler.of((event, connection) -> {
            String transfer = Envelope.read(event).transfer().id();
            try (PreparedStatement update = connection.prepareStatement(ADVANCE)) {
                update.setString(1, event.type());
                update.setString(2, transfer);
                update.executeUpdate();
            }
            note(connection, transfer, event.type(), event.id());
        });
    }

    private static void note(Connection connection, String transfer, String what, UUID event) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(NOTE)) {
            insert.setString(1, transfer);
            insert.setString(2, what);
            insert.setObject(3, event);
            insert.executeUpdate();
        }
    }
}
