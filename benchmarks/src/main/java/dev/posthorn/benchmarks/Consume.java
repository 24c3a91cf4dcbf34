package dev.posthorn.benchmarks;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the inbox costs a handler that writes one row, and what batches gain. */
final class Consume implements Benchmark {

    private static final double OF_WITHOUT = 0.7;
    private static final double BATCH_OF_SINGLE = 5;
    private static final int EVENTS = 10_000;
    private static final String UNIT = "events/s";

    @Override
    public String name() {
        return "consume";
    }

    @Override
    public String summary() {
        return "handling events once beside handling them without an inbox, one by one and in batches";
    }

    @Override
    public BenchOptions standard() {
        BenchOptions standard = BenchOptions.standard().withEvents(EVENTS);
        return standard.withVariants(standard.variants().withClients(1, 4));
    }

    @Override
    public BenchResult run(BenchContext context) throws SQLException {
        try (MarksPlace marks = MarksPlace.named(context.options().variants().inbox(), context)) {
            return run(context, marks);
        }
    }

    private BenchResult run(BenchContext context, MarksPlace marks) throws SQLException {
        String inbox = context.options().variants().inbox();
        List<BenchResult.Line> lines = new ArrayList<>();
        List<Floor> floors = new ArrayList<>();
        List<BenchResult.Headline> headlines = new ArrayList<>();
        for (int threads : context.options().variants().clients()) {
            Map<ConsumeForm, Samples> speeds = measure(context, marks, threads);
            String beside = String.format(", %,d %s", threads, threads == 1 ? "thread" : "threads");
            speeds.forEach((form, speed) -> lines.add(new BenchResult.Line(form.label + beside, UNIT, speed)));
            double without = median(speeds, ConsumeForm.WITHOUT);
            double single = median(speeds, ConsumeForm.SINGLE);
            double batch = median(speeds, ConsumeForm.BATCH);
            // More threads share the writes of the disk, and an inbox elsewhere has its own: nothing is promised of
            // those.
            if (headlines.isEmpty() && inbox.equals(MarksPlace.POSTGRES)) {
                floors.add(
                        Floor.atLeast(ConsumeForm.SINGLE.label + " of without" + beside, single / without, OF_WITHOUT));
                floors.add(Floor.atLeast(
                        ConsumeForm.BATCH.label + " of one by one" + beside, batch / single, BATCH_OF_SINGLE));
            }
            headlines.add(new BenchResult.Headline(UNIT, single, without));
        }
        Map<String, Object> notes = new LinkedHashMap<>();
        notes.put("compared", lines.get(1).contender() + " with " + lines.get(0).contender());
        notes.put("inbox", inbox);
        notes.put("events", context.options().events());
        notes.put("payload_bytes", context.options().payload());
        notes.put("keys", context.options().keys());
        notes.put("verified", "every run: one effect and, where there is an inbox, one mark for each event");
        notes.putAll(context.environment());
        return new BenchResult(name(), headlines.get(0), context.options().runs(), lines, floors, notes);
    }

    private static double median(Map<ConsumeForm, Samples> speeds, ConsumeForm form) {
        return speeds.getOrDefault(form, new Samples(List.of(Double.NaN))).median();
    }

    /** Warm-up rounds, then the measured ones; each begins with another form. */
    private static Map<ConsumeForm, Samples> measure(BenchContext context, MarksPlace marks, int threads)
            throws SQLException {
        Map<ConsumeForm, List<Double>> values = new EnumMap<>(ConsumeForm.class);
        ConsumeForm[] forms = ConsumeForm.values();
        Consumed consumed = new Consumed(context, marks, threads);
        for (int round = 1 - Laps.warmUp(context.options());
                round <= context.options().runs();
                round++) {
            for (int i = 0; i < forms.length; i++) {
                ConsumeForm form = forms[Math.floorMod(round + i, forms.length)];
                double speed = consumed.run(form);
                context.say(
                        "%s: %2d threads %-32s %,9.0f events/s",
                        round <= 0 ? "warm-up" : "run " + round, threads, form.label, speed);
                if (round > 0) {
                    values.computeIfAbsent(form, any -> new ArrayList<>()).add(speed);
                }
            }
        }
        Map<ConsumeForm, Samples> speeds = new EnumMap<>(ConsumeForm.class);
        values.forEach((form, all) -> speeds.put(form, new Samples(all)));
        return speeds;
    }
}
