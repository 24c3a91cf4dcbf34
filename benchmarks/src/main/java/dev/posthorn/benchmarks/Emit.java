package dev.posthorn.benchmarks;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What emitting costs the transaction that does it: a business insert with an event beside one without. */
final class Emit implements Benchmark {

    private static final double OF_WITHOUT = 0.65;
    private static final double OF_WITHOUT_NO_TRIP = 0.9;
    private static final String UNIT = "transactions/s";

    @Override
    public String name() {
        return "emit";
    }

    @Override
    public String summary() {
        return "business transactions with an event beside the same without, with 1 to 16 clients";
    }

    @Override
    public BenchOptions standard() {
        return BenchOptions.standard();
    }

    @Override
    public BenchResult run(BenchContext context) throws SQLException {
        List<BenchResult.Line> lines = new ArrayList<>();
        List<Floor> floors = new ArrayList<>();
        List<BenchResult.Headline> headlines = new ArrayList<>();
        for (int count : context.options().variants().clients()) {
            Map<EmitForm, Samples> speeds = measure(context, count);
            String clients = String.format(", %,d %s", count, count == 1 ? "client" : "clients");
            speeds.forEach((form, speed) -> lines.add(new BenchResult.Line(form.label + clients, UNIT, speed)));
            double without = median(speeds, EmitForm.WITHOUT);
            double with = median(speeds, EmitForm.EMIT);
            floors.add(Floor.atLeast(EmitForm.EMIT.label + clients, with / without, OF_WITHOUT));
            floors.add(Floor.atLeast(
                    EmitForm.WITH_COMMIT.label + clients,
                    median(speeds, EmitForm.WITH_COMMIT) / without,
                    OF_WITHOUT_NO_TRIP));
            floors.add(Floor.atLeast(
                    EmitForm.ONE_ROUND_TRIP.label + clients,
                    median(speeds, EmitForm.ONE_ROUND_TRIP) / without,
                    OF_WITHOUT_NO_TRIP));
            headlines.add(new BenchResult.Headline(UNIT, with, without));
        }
        Map<String, Object> notes = new LinkedHashMap<>();
        notes.put("compared", lines.get(1).contender() + " with " + lines.get(0).contender());
        notes.put("payload_bytes", context.options().payload());
        notes.put("keys", context.options().keys());
        notes.put("verified", "every run: one order and, where there is one, one event for each transaction");
        notes.putAll(context.environment());
        return new BenchResult(name(), headlines.get(0), context.options().runs(), lines, floors, notes);
    }

    private static double median(Map<EmitForm, Samples> speeds, EmitForm form) {
        return speeds.getOrDefault(form, new Samples(List.of(Double.NaN))).median();
    }

    /** Warm-up rounds, then the measured ones; each begins with another form. */
    private static Map<EmitForm, Samples> measure(BenchContext context, int count) throws SQLException {
        Map<EmitForm, List<Double>> values = new LinkedHashMap<>();
        EmitForm[] forms = EmitForm.values();
        for (EmitForm form : forms) {
            values.put(form, new ArrayList<>());
        }
        try (EmitClients clients = new EmitClients(context, count)) {
            for (int round = 1 - Laps.warmUp(context.options());
                    round <= context.options().runs();
                    round++) {
                for (int i = 0; i < forms.length; i++) {
                    EmitForm form = forms[Math.floorMod(round + i, forms.length)];
                    double speed = clients.run(form);
                    context.say(
                            "%s: %2d clients %-37s %,9.0f transactions/s",
                            round <= 0 ? "warm-up" : "run " + round, clients.count(), form.label, speed);
                    if (round > 0) {
                        values.computeIfAbsent(form, any -> new ArrayList<>()).add(speed);
                    }
                }
            }
        }
        Map<EmitForm, Samples> speeds = new LinkedHashMap<>();
        values.forEach((form, all) -> speeds.put(form, new Samples(all)));
        return speeds;
    }
}
