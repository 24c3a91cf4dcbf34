package dev.posthorn.benchmarks;

import java.sql.SQLException;

/**
 * Events that the server makes up by itself, many times faster than they could be emitted.
 *
 * <p>As those of {@link Backlog}: event i has sequence i, key i modulo the number of keys, and a payload of that size. Its
 * id follows from i, so no number can be used twice in one log.
 */
final class GeneratedEvents {

    private static final int SLICE = 500_000;

    private final BenchContext context;

    GeneratedEvents(BenchContext context) {
        this.context = context;
    }

    /** Writes events that are there for good, and leaves nothing of that to be done later. Answers the log's end. */
    long retain(int count) throws SQLException {
        for (int from = 0; from < count; from += SLICE) {
            int to = Math.min(count, from + SLICE);
            commit(from, to);
            context.say("%,d of %,d retained events", to, count);
        }
        context.settle("outbox");
        return BenchRoute.end(context);
    }

    /** Writes them in one transaction: a backlog that is there all at once. */
    void commit(int from, int to) throws SQLException {
        int letters = Math.max(0, context.options().payload() - 2);
        context.run(String.format(
                "INSERT INTO {schema}.outbox (id, domain, type, key, sequence, payload)"
                        + " SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'orders', 'order.placed', 'order-' || i %% %d, i,"
                        + " convert_to('\"' || rpad('', %d, md5(i::text)) || '\"', 'UTF8')"
                        + " FROM generate_series(%d, %d) AS i",
                context.options().keys(), letters, from, to - 1));
    }
}
