package dev.posthorn.benchmarks;

import dev.posthorn.benchmarks.ServerStatistics.Counted;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What publishing costs the database, beside the usual loop: bytes of WAL and statements for each event.
 *
 * <p>Measured while a backlog is drained and nothing else runs, so that all of it is the publisher's. None of it depends
 * on how fast the machine is. A second measurement counts the relay's statements while a producer emits.
 */
final class Cost implements Benchmark {

    private static final double WAL_BYTES_PER_EVENT = 20;
    private static final double STATEMENTS_PER_THOUSAND = 20;
    private static final int LOAD_PER_SECOND = 20_000;

    /** Where fewer come, a relay that looks every few milliseconds for the sake of latency finds fewer at each look. */
    private static final double LOAD_THAT_COUNTS = 10_000;

    private static final String WAL = "bytes of WAL per event";
    private static final String STATEMENTS = "statements per 1,000 events";

    @Override
    public String name() {
        return "cost";
    }

    @Override
    public String summary() {
        return "WAL and statements for each published event: the relay beside the usual status loop";
    }

    @Override
    public BenchOptions standard() {
        return BenchOptions.standard();
    }

    @Override
    public BenchResult run(BenchContext context) throws SQLException {
        ServerStatistics statistics = ServerStatistics.of(context);
        new Backlog(context.options()).emit(context);
        List<Counted> relay = new ArrayList<>();
        List<Counted> usual = new ArrayList<>();
        RelayDrain ours = new RelayDrain(context);
        UsualLoop theirs = new UsualLoop(context);
        for (int run = 1; run <= context.options().runs(); run++) {
            relay.add(measure(context, ours, statistics));
            usual.add(measure(context, theirs, statistics));
        }
        double changes = statistics.changesOfTheLog();
        Load.Outcome load = new Load(context, LOAD_PER_SECOND).run(statistics);

        int events = context.options().events();
        Samples wal = samples(relay, counted -> counted.walBytes() / events);
        Samples statements = samples(relay, counted -> counted.statements() * 1_000 / events);
        Samples usualWal = samples(usual, counted -> counted.walBytes() / events);
        return new BenchResult(
                name(),
                new BenchResult.Headline(WAL, wal.median(), usualWal.median()),
                context.options().runs(),
                List.of(
                        new BenchResult.Line("posthorn relay", WAL, wal),
                        new BenchResult.Line(
                                "  of it full page images", WAL, samples(relay, one -> one.fullPageBytes() / events)),
                        new BenchResult.Line("usual loop", WAL, usualWal),
                        new BenchResult.Line(
                                "  of it full page images", WAL, samples(usual, one -> one.fullPageBytes() / events)),
                        new BenchResult.Line("posthorn relay", STATEMENTS, statements),
                        new BenchResult.Line(
                                "usual loop", STATEMENTS, samples(usual, one -> one.statements() * 1_000 / events)),
                        new BenchResult.Line(
                                "posthorn relay under load",
                                STATEMENTS,
                                new Samples(List.of(load.relayStatements() * 1_000 / events)))),
                List.of(
                        Floor.atMost(WAL, wal.median(), WAL_BYTES_PER_EVENT),
                        Floor.atMost(STATEMENTS, statements.median(), STATEMENTS_PER_THOUSAND),
                        Floor.atMost(
                                STATEMENTS + " under load",
                                load.relayStatements()
                                        * 1_000
                                        / events
                                        * Math.min(1, load.perSecond() / LOAD_THAT_COUNTS),
                                STATEMENTS_PER_THOUSAND),
                        Floor.atMost("rows of the log updated or deleted", changes, 0)),
                notes(context, load));
    }

    private static Counted measure(BenchContext context, Contender contender, ServerStatistics statistics)
            throws SQLException {
        contender.prepare();
        CountingSink sink = new CountingSink(context.options().events());
        statistics.start();
        contender.deliver(sink);
        Counted counted = statistics.stop();
        contender.finish();
        sink.verify(contender.name(), context.options().keys());
        context.say(
                "%s: %,.0f bytes of WAL, %,.0f statements", contender.name(), counted.walBytes(), counted.statements());
        return counted;
    }

    private static Samples samples(List<Counted> runs, ToDoubleFunction<Counted> figure) {
        return new Samples(runs.stream().map(run -> figure.applyAsDouble(run)).toList());
    }

    private static Map<String, Object> notes(BenchContext context, Load.Outcome load) throws SQLException {
        Map<String, Object> notes = new LinkedHashMap<>();
        notes.put("phase", "a backlog is drained and nothing else runs; under load: one producer emits meanwhile");
        notes.put("load_events_per_second", load.perSecond());
        notes.put("events", context.options().events());
        notes.put("payload_bytes", context.options().payload());
        notes.put("keys", context.options().keys());
        notes.putAll(context.environment());
        return notes;
    }
}
