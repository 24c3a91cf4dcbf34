package dev.posthorn.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A drain while an old transaction keeps vacuum from removing anything and the log still holds what was published, beside
 * the same drain of a log that holds nothing else.
 *
 * <p>Two databases of one server, because what a transaction holds back is what lies in its own database.
 */
final class HeldXmin implements Benchmark {

    private static final double OF_CLEAN = 0.9;
    private static final int RETAINED = 2_000_000;
    private static final String UNIT = "events/s";

    @Override
    public String name() {
        return "held-xmin";
    }

    @Override
    public String summary() {
        return "publish a backlog behind retained events and an old open transaction, beside a clean log";
    }

    @Override
    public BenchOptions standard() {
        BenchOptions standard = BenchOptions.standard();
        return standard.withVariants(standard.variants().withRetained(RETAINED));
    }

    @Override
    public BenchResult run(BenchContext context) throws SQLException {
        BenchContext held = context.sibling("held", context.options());
        BenchContext pruned = context.sibling("held_pruned", context.options());
        try (Connection idle = held.connect();
                Connection idleToo = pruned.connect()) {
            hold(idle, "SELECT count(*) FROM pg_class");
            hold(idleToo, "SELECT count(*) FROM pg_class");
            return race(context, held, pruned);
        }
    }

    private BenchResult race(BenchContext clean, BenchContext held, BenchContext pruned) throws SQLException {
        int retained = clean.options().variants().retained().get(0);
        new Backlog(clean.options()).emit(clean);
        long end = new GeneratedEvents(held).retain(retained);
        new Backlog(held.options()).emit(held);
        long prunedEnd = new GeneratedEvents(pruned).retain(retained);
        new Backlog(pruned.options()).emit(pruned);
        RelayDrain baseline = new RelayDrain("clean log", clean, 0, RelayDrain.DIRECT);
        RelayDrain ours = new RelayDrain("retained, xmin held", held, end, RelayDrain.DIRECT);
        WithWriter writer = new WithWriter(held, new RelayDrain("the same, with an xid", held, end, RelayDrain.DIRECT));
        WithPruner pruner = WithPruner.of("the same, pruner beside", pruned, prunedEnd);
        Race race = new Race(clean, List.of(ours, baseline, writer, pruner));
        race.run();

        Samples with = race.speed(ours);
        Samples without = race.speed(baseline);
        Map<String, Object> notes = new LinkedHashMap<>();
        notes.put("held", "a repeatable-read transaction, idle since before the retained events were written");
        notes.put("with_an_xid", "beside it a transaction that has written, open since before the drain");
        notes.put("retained", retained);
        notes.put("events", clean.options().events());
        notes.put("payload_bytes", clean.options().payload());
        notes.putAll(clean.environment());
        return new BenchResult(
                name(),
                new BenchResult.Headline(UNIT, with.median(), without.median()),
                clean.options().runs(),
                List.of(
                        new BenchResult.Line(ours.name(), UNIT, with),
                        new BenchResult.Line(baseline.name(), UNIT, without),
                        new BenchResult.Line(writer.name(), UNIT, race.speed(writer)),
                        new BenchResult.Line(pruner.name(), UNIT, race.speed(pruner)),
                        new BenchResult.Line("pruned beside it", UNIT, pruner.removedPerSecond()),
                        new BenchResult.Line(ours.name() + ", first to last", UNIT, race.speedFirstToLast(ours)),
                        new BenchResult.Line(
                                baseline.name() + ", first to last", UNIT, race.speedFirstToLast(baseline))),
                List.of(Floor.atLeast("of the clean log", with.median() / without.median(), OF_CLEAN)),
                notes);
    }

    /** The first statement takes the snapshot that the transaction keeps. */
    private static void hold(Connection connection, String first) throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(first);
        }
    }

    /** A drain beside a transaction that has an xid, which every snapshot lists as running. */
    private static final class WithWriter implements Contender {

        private final BenchContext context;
        private final RelayDrain drain;
        private final Connection connection;

        WithWriter(BenchContext context, RelayDrain drain) throws SQLException {
            this.context = context;
            this.drain = drain;
            this.connection = context.pool().getConnection();
        }

        @Override
        public String name() {
            return drain.name();
        }

        @Override
        public BenchOptions options() {
            return context.options();
        }

        @Override
        public void prepare() throws SQLException {
            hold(connection, "SELECT pg_current_xact_id()");
            drain.prepare();
        }

        @Override
        public void deliver(CountingSink sink) {
            drain.deliver(sink);
        }

        @Override
        public void finish() throws SQLException {
            connection.rollback();
            drain.finish();
        }
    }
}
