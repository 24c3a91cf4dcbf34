package dev.posthorn.benchmarks;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Whether a log that holds more published events is slower: drain and latency with each number of them. */
final class Growth implements Benchmark {

    private static final double DRAIN_OF_SMALLEST = 0.9;
    private static final double LATENCY_OF_SMALLEST = 1.1;
    private static final String SPEED = "events/s";
    private static final String LATENCY = "ms, p50 of the latency";

    /** A log of one size. */
    private record Size(BenchContext context, RelayDrain drain, List<Double> p50) {}

    @Override
    public String name() {
        return "growth";
    }

    @Override
    public String summary() {
        return "drain and latency with more and more published events in the log";
    }

    @Override
    public BenchOptions standard() {
        BenchOptions standard = BenchOptions.standard();
        return standard.withEach(Duration.ofSeconds(10))
                .withVariants(standard.variants().withRates(50));
    }

    @Override
    public BenchResult run(BenchContext context) throws SQLException {
        List<Size> sizes = new ArrayList<>();
        for (int retained :
                context.options().variants().retained().stream().sorted().toList()) {
            BenchContext own = context.sibling("r" + retained, context.options());
            long end = new GeneratedEvents(own).retain(retained);
            new Backlog(own.options()).emit(own);
            sizes.add(new Size(
                    own,
                    new RelayDrain(String.format("%,d retained", retained), own, end, RelayDrain.DIRECT),
                    new ArrayList<>()));
        }
        Race race = new Race(context, sizes.stream().map(Size::drain).toList());
        race.run();
        measureLatency(context, sizes);
        return result(context, sizes, race);
    }

    /** After the drains, because it adds to the log. */
    private static void measureLatency(BenchContext context, List<Size> sizes) throws SQLException {
        int rate = context.options().variants().rates().get(0);
        List<Way> ways = new ArrayList<>();
        try {
            for (Size size : sizes) {
                size.context().settle("outbox");
                ways.add(new InProcessWay(size.drain().name(), size.context()));
            }
            for (int round = 0; round <= context.options().runs(); round++) {
                for (int i = 0; i < sizes.size(); i++) {
                    int next = (round + i) % sizes.size();
                    Size size = sizes.get(next);
                    double p50 = new SteadyLoad(
                                    size.context(), rate, context.options().each())
                            .run(ways.get(next))
                            .percentile(0.5);
                    context.say(
                            "%s: %-20s %.3f ms",
                            round == 0 ? "warm-up" : "run " + round,
                            size.drain().name(),
                            p50);
                    if (round > 0) {
                        size.p50().add(p50);
                    }
                }
            }
        } finally {
            for (Way way : ways) {
                way.close();
            }
        }
    }

    private BenchResult result(BenchContext context, List<Size> sizes, Race race) throws SQLException {
        List<BenchResult.Line> lines = new ArrayList<>();
        sizes.forEach(size -> lines.add(new BenchResult.Line(size.drain().name(), SPEED, race.speed(size.drain()))));
        sizes.forEach(size -> lines.add(new BenchResult.Line(size.drain().name(), LATENCY, new Samples(size.p50()))));
        Size least = sizes.get(0);
        Size most = sizes.get(sizes.size() - 1);
        double ours = race.speed(most.drain()).median();
        double baseline = race.speed(least.drain()).median();
        Map<String, Object> notes = new LinkedHashMap<>();
        notes.put("compared", most.drain().name() + " with " + least.drain().name());
        notes.put("latency", "relay in the emitter's process, woken up after each commit");
        notes.put(
                "latency_events_per_second",
                context.options().variants().rates().get(0));
        notes.put("events", context.options().events());
        notes.put("payload_bytes", context.options().payload());
        notes.putAll(context.environment());
        return new BenchResult(
                name(),
                new BenchResult.Headline(SPEED, ours, baseline),
                context.options().runs(),
                lines,
                List.of(
                        Floor.atLeast("drain, of that with the least retained", ours / baseline, DRAIN_OF_SMALLEST),
                        Floor.atMost(
                                "latency p50, of that with the least retained",
                                new Samples(most.p50()).median() / new Samples(least.p50()).median(),
                                LATENCY_OF_SMALLEST)),
                notes);
    }
}
