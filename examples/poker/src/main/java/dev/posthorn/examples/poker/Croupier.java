package dev.posthorn.examples.poker;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.event.Event;
import dev.posthorn.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/** The write side of hands: what was dealt, what was done and who won are facts and events of one transaction. Thread-safe. */
public final class Croupier {

    private final Outbox outbox;

    public Croupier(Outbox outbox) {
        this.outbox = outbox;
    }

    /**
     * A hand that was played.
     *
     * @param history of all that was said and done; it can be long
     */
    public record Hand(String id, String table, String winner, long pot, String history) {}

    /** Writes the hand and its three events, in the connection's transaction. Returns the id of the first. */
    public UUID play(Connection connection, Hand hand) throws SQLException {
        Sql.execute(
                connection,
                "INSERT INTO poker.hands (id, table_id, winner, pot, history_bytes) VALUES (?, ?, ?, ?, ?)",
                hand.id(),
                hand.table(),
                hand.winner(),
                hand.pot(),
                hand.history().length());
        Event dealt = event(Poker.CARDS_DEALT, hand, 1, Json.object().put("cards", 2));
        Event acted = event(Poker.ACTION_TAKEN, hand, 2, Json.object().put("action", "raise"));
        Event complete = event(
                Poker.HAND_COMPLETE,
                hand,
                3,
                Json.object()
                        .put("winner", hand.winner())
                        .put("pot", hand.pot())
                        .put("history", hand.history()));
        outbox.emit(connection, dealt, acted, complete);
        return dealt.id();
    }

    private static Event event(String type, Hand hand, long sequence, ObjectNode payload) {
        return Poker.event(Poker.HAND, type, new Aggregate(hand.id(), sequence))
                .correlationId(hand.id())
                .json(Json.text(payload.put("table", hand.table())))
                .build();
    }
}
