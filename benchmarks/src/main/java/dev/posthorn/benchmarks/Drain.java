package dev.posthorn.benchmarks;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How fast a backlog is published: the relay beside a plain read of the same rows and beside the usual loop. */
final class Drain implements Benchmark {

    private static final double OF_PLAIN_READ = 0.45;
    private static final double OF_USUAL_LOOP = 4;
    /** Published events to prune for each that waits. */
    private static final int RETAINED_FOR_EACH = 5;

    private static final String UNIT = "events/s";

    @Override
    public String name() {
        return "drain";
    }

    @Override
    public String summary() {
        return "publish a backlog: the relay beside a plain read of the rows and the usual status loop";
    }

    @Override
    public BenchOptions standard() {
        return BenchOptions.standard();
    }

    @Override
    public BenchResult run(BenchContext context) throws SQLException {
        new Backlog(context.options()).emit(context);
        RelayDrain relay = new RelayDrain(context);
        List<PlainRead> plain = context.options().variants().batches().stream()
                .map(batch -> new PlainRead(context, batch))
                .toList();
        UsualLoop usual = new UsualLoop(context);
        WithPruner pruned = pruned(context);
        List<Contender> contenders = new ArrayList<>();
        contenders.add(relay);
        contenders.add(pruned);
        contenders.addAll(plain);
        contenders.add(usual);
        Race race = new Race(context, contenders);
        race.run();

        List<BenchResult.Line> lines = new ArrayList<>();
        contenders.forEach(one -> lines.add(new BenchResult.Line(one.name(), UNIT, race.speed(one))));
        lines.add(new BenchResult.Line("pruned beside it", UNIT, pruned.removedPerSecond()));
        lines.add(new BenchResult.Line("posthorn, first to last event", UNIT, race.speedFirstToLast(relay)));
        double ours = race.speed(relay).median();
        double read = plain.stream()
                .map(one -> race.speed(one).median())
                .max(Comparator.naturalOrder())
                .orElseThrow();
        double loop = race.speed(usual).median();
        return new BenchResult(
                name(),
                new BenchResult.Headline(UNIT, ours, read),
                context.options().runs(),
                lines,
                List.of(
                        Floor.atLeast("of a plain read", ours / read, OF_PLAIN_READ),
                        Floor.atLeast("times the usual loop", ours / loop, OF_USUAL_LOOP)),
                notes(context, relay, ours / loop));
    }

    /** The same backlog in a log that has much to prune. */
    private static WithPruner pruned(BenchContext context) throws SQLException {
        BenchContext own = context.sibling("pruned", context.options());
        long end = new GeneratedEvents(own)
                .retain(RETAINED_FOR_EACH * context.options().events());
        new Backlog(own.options()).emit(own);
        return WithPruner.of("posthorn relay, pruner beside", own, end);
    }

    private static Map<String, Object> notes(BenchContext context, RelayDrain relay, double ofLoop)
            throws SQLException {
        Map<String, Object> notes = new LinkedHashMap<>();
        notes.put("ratio_to_usual_loop", ofLoop);
        notes.put("events", context.options().events());
        notes.put("payload_bytes", context.options().payload());
        notes.put("keys", context.options().keys());
        notes.put("relay_reads_per_run", relay.totals().reads());
        notes.put("relay_flushes_per_run", relay.totals().flushes());
        notes.put("verified", "every run: each event once, in the order of its key");
        notes.putAll(context.environment());
        return notes;
    }
}
