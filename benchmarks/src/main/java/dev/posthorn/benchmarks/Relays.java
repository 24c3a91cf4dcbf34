package dev.posthorn.benchmarks;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How fast a backlog is published when several relay processes share the lanes of one route. */
final class Relays implements Benchmark {

    private static final String UNIT = "events/s";

    private record Entry(RelayTeam team, List<Double> speeds) {}

    @Override
    public String name() {
        return "relays";
    }

    @Override
    public String summary() {
        return "publish a backlog with several relay processes beside one";
    }

    @Override
    public BenchOptions standard() {
        return BenchOptions.standard();
    }

    @Override
    public BenchResult run(BenchContext context) throws SQLException {
        List<Entry> entries = new ArrayList<>();
        int duplicates = 0;
        try {
            for (int size : context.options().variants().relays()) {
                BenchContext own = context.sibling("relays_" + size, context.options());
                entries.add(new Entry(new RelayTeam(own, size), new ArrayList<>()));
            }
            for (int round = 1 - Laps.warmUp(context.options());
                    round <= context.options().runs();
                    round++) {
                for (int i = 0; i < entries.size(); i++) {
                    Entry next = entries.get(Math.floorMod(round + i, entries.size()));
                    duplicates += measure(context, next, round);
                }
            }
        } finally {
            entries.forEach(entry -> entry.team().close());
        }
        return result(context, entries, duplicates);
    }

    private static int measure(BenchContext context, Entry entry, int round) throws SQLException {
        RelayTeam.Drained drained = entry.team().drain();
        double speed = context.options().events() * 1e9 / drained.nanos();
        context.say(
                "%s: %-10s %,9.0f events/s",
                round <= 0 ? "warm-up" : "run " + round, entry.team().name(), speed);
        if (round > 0) {
            entry.speeds().add(speed);
        }
        return drained.duplicates();
    }

    private BenchResult result(BenchContext context, List<Entry> entries, int duplicates) throws SQLException {
        List<BenchResult.Line> lines = entries.stream()
                .map(entry -> new BenchResult.Line(entry.team().name(), UNIT, new Samples(entry.speeds())))
                .toList();
        Map<String, Object> notes = new LinkedHashMap<>();
        BenchResult.Line one = lines.get(0);
        BenchResult.Line most = lines.get(lines.size() - 1);
        notes.put("compared", most.contender() + " with " + one.contender());
        for (BenchResult.Line line : lines) {
            notes.put(
                    line.contender() + ", of " + one.contender(),
                    line.samples().median() / one.samples().median());
        }
        notes.put("relays", "each a process of its own; the server and all of them share this machine's cores");
        notes.put("clock", "from the commit that made all events visible at once until the last publish");
        notes.put("duplicates", duplicates);
        notes.put("events", context.options().events());
        notes.put("payload_bytes", context.options().payload());
        notes.put("keys", context.options().keys());
        notes.putAll(context.environment());
        return new BenchResult(
                name(),
                new BenchResult.Headline(
                        UNIT, most.samples().median(), one.samples().median()),
                context.options().runs(),
                lines,
                List.of(),
                notes);
    }
}
