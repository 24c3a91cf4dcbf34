package dev.posthorn.examples.poker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** What the end of a hand means for other domains: its winner is paid, and its table is free. Thread-safe. */
public final class HandSagas {

    private static final String PAY =
            "UPDATE poker.players SET version = version + 1, funds = funds + ? WHERE id = ? RETURNING id, version";
    private static final String END =
            "UPDATE poker.tables SET version = version + 1, hands = hands + 1 WHERE id = ? RETURNING id, version";

    private final Outbox outbox;

    public HandSagas(Outbox outbox) {
        this.outbox = outbox;
    }

    // docs:start:poker-sagas
    /** From hand to player: the pot goes to the winner. A winner whom nobody knows makes it fail, and in the end a dead letter. */
    EventHandler<Connection> payWinner() {
        return EventHandler.of((event, connection) -> {
            JsonNode hand = Json.of(event);
            String winner = Json.field(hand, "winner");
            long pot = Long.parseLong(Json.field(hand, "pot"));
            Optional<Aggregate> player = Sql.change(connection, PAY, pot, winner);
            Sql.execute(
                    connection,
                    "INSERT INTO poker.winnings (hand, player_id, amount) VALUES (?, ?, ?)",
                    key(event),
                    winner,
                    pot);
            emit(
                    connection,
                    event,
                    Poker.PLAYER,
                    Poker.FUNDS_TRANSFERRED,
                    player.orElseThrow(() -> new IllegalStateException("there is no player " + winner)));
        });
    }

    /** From hand to table: the hand is over. */
    EventHandler<Connection> endHand() {
        return EventHandler.of((event, connection) -> {
            String table = Json.field(Json.of(event), "table");
            Sql.execute(connection, "INSERT INTO poker.ended_hands (hand, table_id) VALUES (?, ?)", key(event), table);
            emit(
                    connection,
                    event,
                    Poker.TABLE,
                    Poker.HAND_ENDED,
                    Sql.change(connection, END, table).orElseThrow());
        });
    }
    // docs:end:poker-sagas

    private void emit(Connection connection, Event cause, String domain, String type, Aggregate aggregate)
            throws SQLException {
        ObjectNode payload = Json.object().put("hand", key(cause));
        outbox.emit(
                connection,
                Poker.following(cause, domain, type, aggregate)
                        .json(Json.text(payload))
                        .build());
    }

    static String key(Event event) {
        return event.key().orElseThrow();
    }
}
