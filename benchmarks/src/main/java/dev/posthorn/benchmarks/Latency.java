package dev.posthorn.benchmarks;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** From commit to publish, with a relay in the emitter's process and with one in another; and what an idle relay costs. */
final class Latency implements Benchmark {

    private static final double IN_PROCESS_MS = 1;
    private static final double OTHER_PROCESS_MS = 5;
    private static final String MILLISECONDS = "ms";
    private static final String EMITTED = "emitted";
    private static final List<String> FIGURES = List.of("p50", "p95", "p99", EMITTED);

    /** One row of the result. */
    private record Figure(String way, int rate, String what) {

        String label() {
            return String.format("%s, %,d/s, %s", way, rate, what);
        }

        String unit() {
            return what.equals(EMITTED) ? "events/s" : MILLISECONDS;
        }
    }

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public String summary() {
        return "from commit to publish, relay in the same and in another process; and the cost of an idle relay";
    }

    @Override
    public BenchOptions standard() {
        return BenchOptions.standard().withEach(Duration.ofSeconds(10));
    }

    @Override
    public BenchResult run(BenchContext context) throws SQLException {
        BenchOptions options = context.options();
        List<BenchResult.Line> idle = new IdleRelay(context.sibling("idle", options)).measure();
        try (Way ours = new InProcessWay("relay in the emitter's process", context.sibling("same", options));
                Way other = new OtherProcessWay(context.sibling("other", options));
                Way baseline = new ReadBackWay(context)) {
            List<Way> ways = List.of(ours, other, baseline);
            Map<Figure, List<Double>> figures = measure(context, ways);
            List<BenchResult.Line> lines = new ArrayList<>();
            figures.forEach((figure, values) ->
                    lines.add(new BenchResult.Line(figure.label(), figure.unit(), new Samples(values))));
            lines.addAll(idle);
            int rate = options.variants().rates().get(0);
            double p50 = median(figures, ours, rate);
            String at = String.format(", p50 at %,d/s in ms", rate);
            return new BenchResult(
                    name(),
                    new BenchResult.Headline(MILLISECONDS, p50, median(figures, baseline, rate)),
                    options.runs(),
                    lines,
                    List.of(
                            Floor.atMost(ours.name() + at, p50, IN_PROCESS_MS),
                            Floor.atMost(other.name() + at, median(figures, other, rate), OTHER_PROCESS_MS)),
                    notes(context));
        }
    }

    private static double median(Map<Figure, List<Double>> figures, Way way, int rate) {
        return new Samples(figures.getOrDefault(new Figure(way.name(), rate, "p50"), List.of())).median();
    }

    private static Map<String, Object> notes(BenchContext context) throws SQLException {
        Map<String, Object> notes = new LinkedHashMap<>();
        notes.put("compared", "relay in the emitter's process with read back, p50");
        notes.put("commit", "when it returned to the emitter; an event published before that took 0");
        notes.put("read back", "no relay: the emitter asks for the row by its id after the commit, one round trip");
        notes.put("payload_bytes", context.options().payload());
        notes.putAll(context.environment());
        return notes;
    }

    /** One warm-up round, then the measured ones; each begins with another way. */
    private static Map<Figure, List<Double>> measure(BenchContext context, List<Way> ways) throws SQLException {
        Map<Figure, List<Double>> figures = new LinkedHashMap<>();
        for (Way way : ways) {
            for (int rate : context.options().variants().rates()) {
                FIGURES.forEach(what -> figures.put(new Figure(way.name(), rate, what), new ArrayList<>()));
            }
        }
        for (int round = 0; round <= context.options().runs(); round++) {
            for (int rate : context.options().variants().rates()) {
                for (int i = 0; i < ways.size(); i++) {
                    Way way = ways.get((round + i) % ways.size());
                    Latencies found = new SteadyLoad(
                                    way.context(), rate, context.options().each())
                            .run(way);
                    context.say(
                            "%s: %s at %,d/s: p50 %.3f ms, p95 %.3f, p99 %.3f (emitted %,.0f/s)",
                            round == 0 ? "warm-up" : "run " + round,
                            way.name(),
                            rate,
                            found.percentile(0.5),
                            found.percentile(0.95),
                            found.percentile(0.99),
                            found.perSecond());
                    if (round > 0) {
                        add(figures, new Figure(way.name(), rate, "p50"), found.percentile(0.5));
                        add(figures, new Figure(way.name(), rate, "p95"), found.percentile(0.95));
                        add(figures, new Figure(way.name(), rate, "p99"), found.percentile(0.99));
                        add(figures, new Figure(way.name(), rate, EMITTED), found.perSecond());
                    }
                }
            }
        }
        return figures;
    }

    private static void add(Map<Figure, List<Double>> figures, Figure figure, double value) {
        figures.computeIfAbsent(figure, any -> new ArrayList<>()).add(value);
    }
}
