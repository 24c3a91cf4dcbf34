package dev.posthorn.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The least that can be done: reads the log once from front to end by its sequence and hands every event to the sink.
 *
 * <p>It publishes nothing safely: it would miss events that commit late, keeps no order per key once a destination
 * answers late, and forgets how far it came. It is the speed of light, not an alternative.
 */
final class PlainRead implements Contender {

    private static final String READ =
            "SELECT seq, " + EventColumns.LIST + " FROM {schema}.outbox WHERE seq > ? ORDER BY seq LIMIT ?";

    private final BenchContext context;
    private final int batch;

    PlainRead(BenchContext context, int batch) {
        this.context = context;
        this.batch = batch;
    }

    @Override
    public String name() {
        return "plain read by " + batch;
    }

    @Override
    public BenchOptions options() {
        return context.options();
    }

    /** The log needs no index by sequence alone, but this statement does; nobody else is to see it. */
    @Override
    public void prepare() throws SQLException {
        context.run("CREATE UNIQUE INDEX outbox_seq ON {schema}.outbox (seq)");
        context.settle("outbox");
    }

    @Override
    public void deliver(CountingSink sink) throws SQLException {
        try (Connection connection = context.pool().getConnection();
                PreparedStatement statement = connection.prepareStatement(context.inSchema(READ))) {
            long last = 0;
            int rows;
            do {
                rows = 0;
                statement.setLong(1, last);
                statement.setInt(2, batch);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        last = row.getLong(1);
                        sink.accept(EventColumns.read(row, 1));
                        rows++;
                    }
                }
            } while (rows == batch);
        }
    }

    @Override
    public void finish() throws SQLException {
        context.run("DROP INDEX {schema}.outbox_seq");
    }
}
