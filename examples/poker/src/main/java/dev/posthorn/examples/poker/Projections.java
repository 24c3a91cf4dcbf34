package dev.posthorn.examples.poker;

import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inbox.KeyOrder;
import dev.posthorn.inbox.Positions;
import dev.posthorn.postgres.PostgresPositions;
import dev.posthorn.postgres.Schema;
import java.sql.Connection;

/** What is only looked at: the display, the histories, the statistics. */
final class Projections {

    private Projections() {}

    /** Every event of every domain, as it comes. */
    static EventHandler<Connection> display() {
        return EventHandler.of((event, connection) -> {
            int unused = Sql.execute(
                    connection,
                    "INSERT INTO poker.display (event_id, domain, type, key, sequence) VALUES (?, ?, ?, ?, ?)",
                    event.id(),
                    event.domain(),
                    event.type(),
                    HandSagas.key(event),
                    event.sequence().orElseThrow());
        });
    }

    // docs:start:poker-positions
    /** The three events of a hand, in their own order: one that is missing or comes too late is a dead letter that says so. */
    static EventHandler<Connection> histories() {
        Positions<Connection> positions = new Positions<>(
                new PostgresPositions(Schema.DEFAULT),
                Positions.Policy.STRICT.gap(Positions.Gap.REJECT),
                KeyOrder.KEPT); // a hand is one transaction, and the route holds a key whose event is dead
        return positions.inOrder(
                new HandlerId(Part.HISTORIAN.subscriber(), Game.HANDLER), EventHandler.of((event, connection) -> {
                    if (event.type().equals(Poker.HAND_COMPLETE)) {
                        int unused = Sql.execute(
                                connection,
                                "INSERT INTO poker.histories (hand, bytes) VALUES (?, ?)",
                                HandSagas.key(event),
                                Json.field(Json.of(event), "history").length());
                    }
                }));
    }
    // docs:end:poker-positions

    static EventHandler<Connection> statistics() {
        return EventHandler.of((event, connection) -> {
            int unused = Sql.execute(
                    connection,
                    "INSERT INTO poker.statistics (hand, winner) VALUES (?, ?)",
                    HandSagas.key(event),
                    Json.field(Json.of(event), "winner"));
        });
    }
}
