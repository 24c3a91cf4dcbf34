package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Change;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** The steps of one client's business transactions, on a connection of its own. */
final class EmitClient implements AutoCloseable {

    private static final String INSERT = "INSERT INTO {schema}.orders (customer, amount) VALUES (?, ?)";

    private final int keys;
    private final Backlog events;
    private final byte[] payload;
    private final Outbox outbox;
    private final String sql;
    private final Connection connection;
    private final PreparedStatement insert;

    EmitClient(BenchContext context) throws SQLException {
        this.keys = context.options().keys();
        this.events = new Backlog(context.options());
        this.payload = events.payload();
        this.outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(context.schema()));
        this.sql = context.inSchema(INSERT);
        this.connection = context.connect();
        connection.setAutoCommit(false);
        this.insert = connection.prepareStatement(sql);
    }

    /** Transactions until the time is over. */
    int run(EmitForm form, long end) throws SQLException {
        int transactions = 0;
        while (System.nanoTime() - end < 0) {
            form.run(this, transactions);
            transactions++;
        }
        return transactions;
    }

    void insert(int number) throws SQLException {
        insert.setString(1, customer(number));
        insert.setInt(2, number);
        insert.executeUpdate();
    }

    void emit(int number) {
        outbox.emit(connection, event(number));
    }

    void emitWithCommit(int number) {
        outbox.emit(connection, List.of(event(number)), EmitOption.WITH_COMMIT);
    }

    void commitAll(int number) {
        outbox.commit(connection, Change.of(sql, customer(number), number), event(number));
    }

    void commit() throws SQLException {
        connection.commit();
    }

    private String customer(int number) {
        return "customer-" + number % keys;
    }

    private Event event(int number) {
        return events.event(number, payload);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
