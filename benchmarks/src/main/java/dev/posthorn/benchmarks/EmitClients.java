package dev.posthorn.benchmarks;

import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Clients that insert business rows, a transaction each, as fast as it goes: each has a thread and a connection. */
final class EmitClients implements AutoCloseable {

    private static final String TABLE = "CREATE TABLE IF NOT EXISTS {schema}.orders ("
            + "id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, customer text NOT NULL, amount numeric NOT NULL,"
            + " placed_at timestamptz NOT NULL DEFAULT now())";
    private static final String INSERT = "INSERT INTO {schema}.orders (customer, amount) VALUES (?, ?)";

    private final BenchContext context;
    private final Outbox outbox;
    private final List<Connection> connections = new ArrayList<>();
    private final ExecutorService threads;

    EmitClients(BenchContext context, int count) throws SQLException {
        this.context = context;
        this.outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(context.schema()));
        this.threads = Executors.newFixedThreadPool(count);
        context.run(TABLE);
        for (int i = 0; i < count; i++) {
            Connection connection = context.connect();
            connections.add(connection);
            connection.setAutoCommit(false);
        }
    }

    int count() {
        return connections.size();
    }

    /** Transactions a second of this form, on tables that are empty at first. */
    double run(EmitForm form) throws SQLException {
        context.run("TRUNCATE {schema}.orders, {schema}.outbox");
        context.settle("orders", "outbox");
        long start = System.nanoTime();
        long end = start + context.options().each().toNanos();
        List<Future<Integer>> clients = new ArrayList<>();
        for (Connection connection : connections) {
            clients.add(threads.submit(() -> client(connection, form, end)));
        }
        long transactions = 0;
        try {
            for (Future<Integer> client : clients) {
                transactions += client.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("A client failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while clients ran", e);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        verify(form, transactions);
        return transactions / seconds;
    }

    private int client(Connection connection, EmitForm form, long end) throws SQLException {
        Backlog events = new Backlog(context.options());
        byte[] payload = events.payload();
        int transactions = 0;
        try (PreparedStatement insert = connection.prepareStatement(context.inSchema(INSERT))) {
            while (System.nanoTime() - end < 0) {
                int number = transactions;
                insert.setString(1, "customer-" + number % context.options().keys());
                insert.setInt(2, number);
                insert.executeUpdate();
                form.finish(connection, outbox, () -> events.event(number, payload));
                transactions++;
            }
        }
        return transactions;
    }

    private void verify(EmitForm form, long transactions) throws SQLException {
        long orders = (long) context.number("SELECT count(*) FROM {schema}.orders");
        long emitted = (long) context.number("SELECT count(*) FROM {schema}.outbox");
        if (orders != transactions || emitted != (form == EmitForm.WITHOUT ? 0 : transactions)) {
            throw new IllegalStateException(transactions + " transactions " + form.label + " left " + orders
                    + " orders and " + emitted + " events.");
        }
    }

    @Override
    public void close() throws SQLException {
        threads.shutdownNow();
        for (Connection connection : connections) {
            connection.close();
        }
    }
}
