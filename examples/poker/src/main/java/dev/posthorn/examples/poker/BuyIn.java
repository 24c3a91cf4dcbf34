package dev.posthorn.examples.poker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The process manager of a seat: the table is asked, the player's funds are reserved, and the seat is taken; or the funds do not
 * suffice, and the seat, which was counted already, is given back. Two domains, one transaction for each step. Thread-safe.
 */
public final class BuyIn {

    private static final String RESERVE = """
            UPDATE poker.players SET version = version + 1, reserved = reserved + ?
            WHERE id = ? AND funds - reserved >= ?
            RETURNING id, version
            """;
    private static final String REFUSE =
            "UPDATE poker.players SET version = version + 1 WHERE id = ? RETURNING id, version";
    private static final String SEAT =
            "UPDATE poker.tables SET version = version + 1, seats = seats + ? WHERE id = ? RETURNING id, version";

    private final Outbox outbox;

    public BuyIn(Outbox outbox) {
        this.outbox = outbox;
    }

    /** What a player asks for. */
    public record Request(String id, String table, String player, long stake) {}

    /** The table counts the seat and says that it was asked for, in the connection's transaction. */
    public UUID request(Connection connection, Request request) throws SQLException {
        Sql.execute(
                connection,
                "INSERT INTO poker.seat_requests (id, table_id, player_id, stake) VALUES (?, ?, ?, ?)",
                request.id(),
                request.table(),
                request.player(),
                request.stake());
        return emitOfTable(connection, null, Poker.SEAT_REQUESTED, request, 1);
    }

    // docs:start:poker-process-manager
    /** What follows from what, in the transaction of the inbox; what is emitted commits with the mark. */
    EventHandler<Connection> handler() {
        return EventHandler.of((event, connection) -> {
            Request request = requestOf(event);
            switch (event.type()) {
                case Poker.SEAT_REQUESTED -> reserve(connection, event, request);
                case Poker.FUNDS_RESERVED -> {
                    note(connection, request, "seated");
                    UUID unused = emitOfTable(connection, event, Poker.PLAYER_SEATED, request, 0);
                }
                case Poker.FUNDS_REFUSED -> { // the compensation
                    note(connection, request, "released");
                    UUID unused = emitOfTable(connection, event, Poker.SEAT_RELEASED, request, -1);
                }
                default -> {} // what the tables and players tell besides
            }
        });
    }
    // docs:end:poker-process-manager

    private void reserve(Connection connection, Event cause, Request request) throws SQLException {
        note(connection, request, "asked");
        Optional<Aggregate> reserved =
                Sql.change(connection, RESERVE, request.stake(), request.player(), request.stake());
        Aggregate player = reserved.isPresent()
                ? reserved.get()
                : Sql.change(connection, REFUSE, request.player()).orElseThrow();
        String type = reserved.isPresent() ? Poker.FUNDS_RESERVED : Poker.FUNDS_REFUSED;
        outbox.emit(
                connection,
                Poker.following(cause, Poker.PLAYER, type, player)
                        .json(json(request))
                        .build());
    }

    private UUID emitOfTable(Connection connection, @Nullable Event cause, String type, Request request, int seats)
            throws SQLException {
        Aggregate table = Sql.change(connection, SEAT, seats, request.table()).orElseThrow();
        Event event = Poker.following(cause, Poker.TABLE, type, table)
                .json(json(request))
                .build();
        outbox.emit(connection, event);
        return event.id();
    }

    private static void note(Connection connection, Request request, String step) throws SQLException {
        int unused =
                Sql.execute(connection, "INSERT INTO poker.buy_ins (request, step) VALUES (?, ?)", request.id(), step);
    }

    private static String json(Request request) {
        ObjectNode node = Json.object()
                .put("request", request.id())
                .put("table", request.table())
                .put("player", request.player())
                .put("stake", request.stake());
        return Json.text(node);
    }

    /** Throws {@link PosthornException} if the event says nothing of a request. */
    private static Request requestOf(Event event) {
        JsonNode node = Json.of(event);
        return new Request(
                Json.field(node, "request"),
                Json.field(node, "table"),
                Json.field(node, "player"),
                Long.parseLong(Json.field(node, "stake")));
    }
}
