package dev.posthorn.systemtests;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The business transaction of these tests: an account's version goes up by one for each event, under the lock of its
 * row, so that the events of an account have an order that can be checked.
 */
final class Purchase {

    private static final Outbox OUTBOX = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
    private static final String PAYLOAD = "{\"text\":\"" + "x".repeat(300) + "\"}";

    private Purchase() {}

    /** Emits so many events of the account in the connection's transaction; does not commit. */
    static List<UUID> emit(Connection connection, String account, int events) throws SQLException {
        long version;
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE account SET version = version + ? WHERE id = ? RETURNING version")) {
            update.setInt(1, events);
            update.setString(2, account);
            try (ResultSet row = update.executeQuery()) {
                row.next();
                version = row.getLong(1);
            }
        }
        List<Event> batch = new ArrayList<>();
        for (int i = events - 1; i >= 0; i--) {
            batch.add(Event.of("shop", "purchased")
                    .key(account)
                    .sequence(version - i)
                    .json(PAYLOAD)
                    .build());
        }
        OUTBOX.emit(connection, batch);
        return batch.stream().map(Event::id).toList();
    }
}
