package dev.posthorn.benchmarks;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Measures contenders in turn: warm-up rounds, then as many as asked for, each in an order of its own. So none always comes after
 * the same one, which may leave it a warm or a cold machine; the orders are the same each time.
 */
final class Race {

    private final BenchContext context;
    private final List<Contender> contenders;
    private final Map<Contender, List<Laps.Speed>> speeds = new HashMap<>();

    Race(BenchContext context, List<? extends Contender> contenders) {
        this.context = context;
        this.contenders = List.copyOf(contenders);
    }

    void run() throws SQLException {
        Laps laps = new Laps(context);
        laps.rounds(contenders, (round, next) -> {
            Laps.Speed speed = laps.measure(round, next);
            if (round > 0) {
                speeds.computeIfAbsent(next, any -> new ArrayList<>()).add(speed);
            }
        });
    }

    /** Events per second over the whole time, start-up and last commit included. */
    Samples speed(Contender contender) {
        return new Samples(speedsOf(contender).stream().map(Laps.Speed::whole).toList());
    }

    Samples speedFirstToLast(Contender contender) {
        return new Samples(
                speedsOf(contender).stream().map(Laps.Speed::firstToLast).toList());
    }

    private List<Laps.Speed> speedsOf(Contender contender) {
        return Objects.requireNonNull(speeds.get(contender), contender.name());
    }
}
