package dev.posthorn.benchmarks;

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

    private final BenchContext context;
    private final List<EmitClient> clients = new ArrayList<>();
    private final ExecutorService threads;

    EmitClients(BenchContext context, int count) throws SQLException {
        this.context = context;
        this.threads = Executors.newFixedThreadPool(count);
        context.run(TABLE);
        for (int i = 0; i < count; i++) {
            clients.add(new EmitClient(context));
        }
    }

    int count() {
        return clients.size();
    }

    /** Transactions a second of this form, on tables that are empty at first. */
    double run(EmitForm form) throws SQLException {
        context.run("TRUNCATE {schema}.orders, {schema}.outbox");
        context.settle("orders", "outbox");
        long start = System.nanoTime();
        long end = start + context.options().each().toNanos();
        List<Future<Integer>> runs = new ArrayList<>();
        for (EmitClient client : clients) {
            runs.add(threads.submit(() -> client.run(form, end)));
        }
        long transactions = 0;
        try {
            for (Future<Integer> run : runs) {
                transactions += run.get();
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
        for (EmitClient client : clients) {
            client.close();
        }
    }
}
