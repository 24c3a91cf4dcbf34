package dev.posthorn.examples.transfers;

import dev.posthorn.inbox.EventHandler;
import dev.posthorn.postgres.DomainKey;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Verdict;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/**
 * Posts journal entries, by transfer and type, so also without the inbox nothing is posted twice. Each posting is two entries
 * that balance.
 */
public final class Ledger {

    private static final DomainKey ENTRIES =
            DomainKey.of(new Schema("ledger"), "entry", "transfer_id", "type", "account");

    private Ledger() {}

    static EventHandler<Connection> handler() {
        return (event, connection) -> {
            Transfer transfer = Envelope.read(event).transfer();
            if (event.type().startsWith(Envelope.SUBMITTED)) {
                post(connection, transfer, event.type(), transfer.payer(), "suspense");
                return Verdict.done();
            }
            switch (event.type()) {
                case "accepted" -> post(connection, transfer, event.type(), "suspense", "rail");
                case "settled" -> post(connection, transfer, event.type(), "rail", transfer.payee());
                default -> {
                    return Verdict.reject("nobody knows how to post " + event.type());
                }
            }
            return Verdict.done();
        };
    }

    private static void post(Connection connection, Transfer transfer, String type, String from, String to)
            throws SQLException {
        BigDecimal amount = new BigDecimal(transfer.amount());
        ENTRIES.insert(connection, entry(transfer, type, from, amount.negate()));
        ENTRIES.insert(connection, entry(transfer, type, to, amount));
    }

    private static Map<String, Object> entry(Transfer transfer, String type, String account, BigDecimal amount) {
        return Map.of("transfer_id", transfer.id(), "type", type, "account", account, "amount", amount);
    }
}
