package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How long a small tenant's events wait while a large one has a backlog: in one route for both, and with a route for each; beside
 * the small tenant alone.
 */
final class Tenants implements Benchmark {

    private static final String MILLISECONDS = "ms";
    private static final double AT_MOST_TIMES = 5;
    private static final int RATE = 50;
    private static final double[] SHARES = {0.5, 0.99};

    @Override
    public String name() {
        return "tenants";
    }

    @Override
    public String summary() {
        return "a small tenant's latency behind a large one's backlog: alone, in one route, and with a route for each";
    }

    @Override
    public BenchOptions standard() {
        return BenchOptions.standard()
                .withEvents(100_000)
                .withEach(Duration.ofSeconds(5))
                .withVariants(BenchOptions.standard().variants().withRates(RATE));
    }

    @Override
    public BenchResult run(BenchContext context) throws SQLException {
        BenchOptions options = context.options();
        Map<String, List<Latencies>> found = new LinkedHashMap<>();
        try (TenantWay alone = TenantWay.shared("alone", context.sibling("alone", options));
                TenantWay shared = TenantWay.shared("one route for both", context.sibling("shared", options));
                TenantWay apart = TenantWay.apart("a route for each", context.sibling("apart", options))) {
            for (int round = 0; round <= options.runs(); round++) {
                measure(alone, round, 0, found);
                measure(shared, round, options.events(), found);
                measure(apart, round, options.events(), found);
            }
            return result(context, found, List.of(alone.name(), shared.name(), apart.name()));
        }
    }

    private BenchResult result(BenchContext context, Map<String, List<Latencies>> found, List<String> names)
            throws SQLException {
        List<BenchResult.Line> lines = new ArrayList<>();
        found.forEach((way, all) -> {
            for (double share : SHARES) {
                lines.add(
                        new BenchResult.Line(way + ", p" + Math.round(share * 100), MILLISECONDS, samples(all, share)));
            }
        });
        double ours = p99(found, names.get(2));
        double baseline = p99(found, names.get(0));
        return new BenchResult(
                name(),
                new BenchResult.Headline(MILLISECONDS, ours, baseline),
                context.options().runs(),
                lines,
                List.of(Floor.atMost(
                        "a route for each, p99 in times of p99 alone",
                        ours / Math.max(baseline, 0.001),
                        AT_MOST_TIMES)),
                notes(context, p99(found, names.get(1))));
    }

    /** Each way has a database of its own; the backlog is emitted anew and has to be through before the next turn. */
    private static void measure(TenantWay way, int round, int backlog, Map<String, List<Latencies>> found)
            throws SQLException {
        BenchContext context = way.context();
        int before = way.ofLarge();
        emit(context, backlog);
        Latencies latencies = new SteadyLoad(
                        context,
                        context.options().variants().rates().get(0),
                        context.options().each())
                .run(way);
        context.say(
                "%s: %s: p50 %.2f ms, p99 %.2f ms; by then %,d of the large tenant's %,d were published",
                round == 0 ? "warm-up" : "run " + round,
                way.name(),
                latencies.percentile(0.5),
                latencies.percentile(0.99),
                way.ofLarge() - before,
                backlog);
        way.awaitLarge(before + backlog);
        if (round > 0) {
            found.computeIfAbsent(way.name(), any -> new ArrayList<>()).add(latencies);
        }
    }

    private static void emit(BenchContext context, int backlog) throws SQLException {
        Backlog events = new Backlog(context.options());
        byte[] payload = events.payload();
        List<Event> all = new ArrayList<>(backlog);
        for (int i = 0; i < backlog; i++) {
            all.add(Event.of("orders", "order.placed")
                    .key("large-" + i % context.options().keys())
                    .sequence(i)
                    .tenant(TenantWay.LARGE)
                    .payload(payload, "application/json")
                    .build());
        }
        events.emit(context, all);
    }

    private static Samples samples(List<Latencies> all, double share) {
        return new Samples(
                all.stream().map(latencies -> latencies.percentile(share)).toList());
    }

    private static double p99(Map<String, List<Latencies>> found, String way) {
        return samples(found.getOrDefault(way, List.of()), 0.99).median();
    }

    private static Map<String, Object> notes(BenchContext context, double shared) throws SQLException {
        Map<String, Object> notes = new LinkedHashMap<>();
        notes.put("compared", "p99 of the small tenant from commit to publish: a route for each, with it alone");
        notes.put("one_route_p99_ms", shared);
        notes.put("backlog", context.options().events());
        notes.put("destination_events_per_second", TenantWay.PER_SECOND);
        notes.put("rate_of_small_tenant", context.options().variants().rates().get(0));
        notes.put("payload_bytes", context.options().payload());
        notes.putAll(context.environment());
        return notes;
    }
}
