package dev.posthorn.benchmarks;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Measures contenders in turn: warm-up rounds, then as many as asked for, each in an order of its own. So none always comes after
 * the same one, which may leave it a warm or a cold machine; the orders are the same each time.
 *
 * <p>One warm-up round is over in seconds, and what the compiler has not done by then it does on the contenders' cores
 * during the next ones.
 */
final class Race {

    private static final int MOST_WARM_UP = 3;

    private record Time(long whole, long firstToLast) {}

    private final BenchContext context;
    private final List<Contender> contenders;
    private final Map<Contender, List<Time>> times = new HashMap<>();
    /** By how many events there were. */
    private final Map<Integer, Long> checksums = new HashMap<>();

    Race(BenchContext context, List<? extends Contender> contenders) {
        this.context = context;
        this.contenders = List.copyOf(contenders);
    }

    void run() throws SQLException {
        for (int round = 1 - warmUp(context.options());
                round <= context.options().runs();
                round++) {
            List<Contender> order = new ArrayList<>(contenders);
            Collections.shuffle(order, new Random(round));
            for (Contender next : order) {
                Time time = measure(next);
                context.say(
                        "%s: %-20s %,9.0f events/s",
                        round <= 0 ? "warm-up" : "run " + round, next.name(), perSecond(next, time.whole()));
                if (round > 0) {
                    times.computeIfAbsent(next, any -> new ArrayList<>()).add(time);
                }
            }
        }
    }

    /** As many rounds as are measured, at most three. */
    static int warmUp(BenchOptions options) {
        return Math.min(MOST_WARM_UP, options.runs());
    }

    private Time measure(Contender contender) throws SQLException {
        contender.prepare();
        CountingSink sink = new CountingSink(contender.options().events());
        long start = System.nanoTime();
        contender.deliver(sink);
        long whole = System.nanoTime() - start;
        contender.finish();
        sink.verify(contender.name(), contender.options().keys());
        Long before = checksums.putIfAbsent(contender.options().events(), sink.checksum());
        if (before != null && before != sink.checksum()) {
            throw new IllegalStateException(contender.name() + " delivered other bytes than the contender before it.");
        }
        return new Time(whole, sink.nanosFirstToLast());
    }

    /** Events per second over the whole time, start-up and last commit included. */
    Samples speed(Contender contender) {
        return new Samples(timesOf(contender).stream()
                .map(time -> perSecond(contender, time.whole()))
                .toList());
    }

    Samples speedFirstToLast(Contender contender) {
        return new Samples(timesOf(contender).stream()
                .map(time -> perSecond(contender, time.firstToLast()))
                .toList());
    }

    private List<Time> timesOf(Contender contender) {
        return Objects.requireNonNull(times.get(contender), contender.name());
    }

    private static double perSecond(Contender contender, long nanos) {
        return contender.options().events() * 1e9 / nanos;
    }
}
