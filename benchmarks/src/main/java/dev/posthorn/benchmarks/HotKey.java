package dev.posthorn.benchmarks;

import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A backlog of one key beside the same backlog over many keys, to a destination that answers at once and to one that
 * takes its time.
 */
final class HotKey implements Benchmark {

    private static final Duration ANSWER = Duration.ofMillis(1);
    private static final int EVENTS = 20_000;
    /** A hot key waits for every answer; so many fewer events there. */
    private static final int FEWER = 10;

    private static final int LONGEST_RUN = 1_000;

    private static final String UNIT = "events/s";
    private static final String BOUND = "A transport that can not keep the order of a key when something fails gets one"
            + " event of a key at a time: a publish round trip for each. The rate is 1 / (time to the answer + the"
            + " relay's own turn), whatever the number of relays and lanes. A transport that keeps it (longestRun) gets"
            + " a run of one read's events in a round trip: up to its longest run or a page, whichever is less.";

    @Override
    public String name() {
        return "hot-key";
    }

    @Override
    public String summary() {
        return "publish a backlog of one key beside one of many keys, and what bounds it";
    }

    @Override
    public BenchOptions standard() {
        return BenchOptions.standard().withEvents(EVENTS);
    }

    @Override
    public BenchResult run(BenchContext context) throws SQLException {
        BenchOptions all = context.options();
        BenchOptions few = all.withEvents(Math.max(1, all.events() / FEWER));
        RelayDrain.Destination late = sink -> new LatePublisher(sink, ANSWER, 1);
        RelayDrain.Destination lateRuns = sink -> new LatePublisher(sink, ANSWER, LONGEST_RUN);
        String many = String.format("%,d keys", all.keys());
        RelayDrain one = drain("one key in runs", context, "hot", all.withKeys(1), RelayDrain.DIRECT);
        RelayDrain spread = drain(many, context, "spread", all, RelayDrain.DIRECT);
        RelayDrain oneLate = drain("one key, answer after 1 ms", context, "hot_late", few.withKeys(1), late);
        RelayDrain runsLate =
                drain("one key in runs, answer after 1 ms", context, "runs_late", all.withKeys(1), lateRuns);
        RelayDrain spreadLate = drain(many + ", answer after 1 ms", context, "spread_late", few, late);
        Race race = new Race(context, List.of(one, spread, oneLate, runsLate, spreadLate));
        race.run();

        double lateRate = race.speedFirstToLast(oneLate).median();
        Map<String, Object> notes = new LinkedHashMap<>();
        notes.put("bound", BOUND);
        notes.put("one_key_events_per_second_at_most", (double)
                Duration.ofSeconds(1).dividedBy(ANSWER));
        notes.put("one_key_microseconds_per_event", 1e6 / lateRate);
        notes.put(
                "relay_microseconds_per_event", 1e6 / race.speedFirstToLast(one).median());
        notes.put("events", all.events());
        notes.put("events_where_answers_are_late", few.events());
        notes.put("payload_bytes", all.payload());
        notes.putAll(context.environment());
        return new BenchResult(
                name(),
                new BenchResult.Headline(
                        UNIT, race.speed(one).median(), race.speed(spread).median()),
                all.runs(),
                List.of(
                        new BenchResult.Line(one.name(), UNIT, race.speed(one)),
                        new BenchResult.Line(spread.name(), UNIT, race.speed(spread)),
                        new BenchResult.Line(oneLate.name(), UNIT, race.speed(oneLate)),
                        new BenchResult.Line(oneLate.name() + ", first to last", UNIT, race.speedFirstToLast(oneLate)),
                        new BenchResult.Line(runsLate.name(), UNIT, race.speed(runsLate)),
                        new BenchResult.Line(spreadLate.name(), UNIT, race.speed(spreadLate))),
                List.of(),
                notes);
    }

    private static RelayDrain drain(
            String name, BenchContext context, String database, BenchOptions sized, RelayDrain.Destination to)
            throws SQLException {
        BenchContext own = context.sibling(database, sized);
        new Backlog(sized).emit(own);
        return new RelayDrain(name, own, 0, to);
    }
}
