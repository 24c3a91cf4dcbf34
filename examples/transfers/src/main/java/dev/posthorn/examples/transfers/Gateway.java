package dev.posthorn.examples.transfers;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.CallStore;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.OutsideCall;
import dev.posthorn.outbox.Outbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** Submits transfers on the rail, once each, and tells that they were accepted and settled. Thread-safe. */
public final class Gateway {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final String SUBMITTED = """
            INSERT INTO gateway.submission (transfer_id, event_id, reference, amount) VALUES (?, ?, ?, ?::numeric)
            """;

    private final OutsideCall call;
    private final Rail rail;
    private final Outbox outbox;

    public Gateway(CallStore calls, Rail rail, Outbox outbox) {
        this(calls, rail, outbox, LEASE);
    }

    /** With a lease of its own, which must be longer than a call of the rail can take. */
    public Gateway(CallStore calls, Rail rail, Outbox outbox, Duration lease) {
        this.call = new OutsideCall("usdc-rail", calls, lease);
        this.rail = rail;
        this.outbox = outbox;
    }

    // docs:start:transfers-gateway
    EventHandler<Connection> handler() {
        return EventHandler.of((event, connection) -> {
            Transfer transfer = Envelope.read(event).transfer();
            // Claimed, made with the event's id as key, and answered from memory if the event comes again.
            String reference = call.once(event, key -> rail.submit(key, transfer));
            remember(connection, transfer, event, reference);
            outbox.emit(connection, Envelope.of("accepted", transfer, event));
            outbox.emit(connection, Envelope.of("settled", transfer, event));
        });
    }
    // docs:end:transfers-gateway

    private static void remember(Connection connection, Transfer transfer, Event event, String reference)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(SUBMITTED)) {
            insert.setString(1, transfer.id());
            insert.setObject(2, event.id());
            insert.setString(3, reference);
            insert.setString(4, transfer.amount());
            insert.executeUpdate();
        }
    }
}
