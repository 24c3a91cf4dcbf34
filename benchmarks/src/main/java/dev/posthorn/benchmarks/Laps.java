package dev.posthorn.benchmarks;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Measures one delivery at a time, and proves that it was whole and of the same bytes as the others. */
final class Laps {

    private static final int MOST_WARM_UP = 3;

    /**
     * How fast one was.
     *
     * @param whole events per second over the whole time, start-up and last commit included
     * @param firstToLast events per second from the first delivery to the last
     */
    record Speed(double whole, double firstToLast) {}

    /** What a contender's turn is. */
    interface Turn {
        void take(int round, Contender contender) throws SQLException;
    }

    private final BenchContext context;
    /** By how many events there were. */
    private final Map<Integer, Long> checksums = new HashMap<>();

    Laps(BenchContext context) {
        this.context = context;
    }

    /**
     * As many rounds as are measured, at most three. One is over in seconds, and what the compiler has not done by then it
     * does on the contenders' cores during the next ones.
     */
    static int warmUp(BenchOptions options) {
        return Math.min(MOST_WARM_UP, options.runs());
    }

    /** Warm-up rounds, then as many as asked for; everybody has a turn in each, in an order that is the same each time. */
    void rounds(List<Contender> contenders, Turn turn) throws SQLException {
        for (int round = 1 - warmUp(context.options());
                round <= context.options().runs();
                round++) {
            List<Contender> order = new ArrayList<>(contenders);
            Collections.shuffle(order, new Random(round));
            for (Contender next : order) {
                turn.take(round, next);
            }
        }
    }

    /**
     * Measures one.
     *
     * @param round from 1 on, or less for one of the warm-up
     */
    Speed measure(int round, Contender contender) throws SQLException {
        contender.prepare();
        int events = contender.options().events();
        CountingSink sink = new CountingSink(events);
        long start = System.nanoTime();
        contender.deliver(sink);
        long whole = System.nanoTime() - start;
        contender.finish();
        sink.verify(contender.name(), contender.options().keys());
        Long before = checksums.putIfAbsent(events, sink.checksum());
        if (before != null && before != sink.checksum()) {
            throw new IllegalStateException(contender.name() + " delivered other bytes than the contender before it.");
        }
        Speed speed = new Speed(events * 1e9 / whole, events * 1e9 / sink.nanosFirstToLast());
        context.say(
                "%s: %-20s %,9.0f events/s", round <= 0 ? "warm-up" : "run " + round, contender.name(), speed.whole());
        return speed;
    }
}
