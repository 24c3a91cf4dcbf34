package dev.posthorn.examples.transfers;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A rail that is played by a table: it recognises its keys, and counts how often each came. Knows no transaction of others. */
public final class RailInPostgres implements Rail {

    private static final String SUBMIT = """
            INSERT INTO rail.payment AS p (idempotency_key, reference, transfer_id, amount, calls)
            VALUES (?, 'usdc-' || gen_random_uuid(), ?, ?::numeric, 1)
            ON CONFLICT (idempotency_key) DO UPDATE SET calls = p.calls + 1
            RETURNING reference
            """;

    private final DataSource database;

    public RailInPostgres(DataSource database) {
        this.database = database;
    }

    @Override
    public String submit(String idempotencyKey, Transfer transfer) throws IOException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            try (PreparedStatement submit = connection.prepareStatement(SUBMIT)) {
                submit.setString(1, idempotencyKey);
                submit.setString(2, transfer.id());
                submit.setString(3, transfer.amount());
                try (ResultSet row = submit.executeQuery()) {
                    row.next();
                    return row.getString(1);
                }
            }
        } catch (SQLException away) {
            throw new IOException("The rail does not answer: " + away.getMessage(), away);
        }
    }
}
