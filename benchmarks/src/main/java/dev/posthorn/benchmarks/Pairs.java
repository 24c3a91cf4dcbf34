package dev.posthorn.benchmarks;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Measures each contender right beside a baseline, now before it and now behind it, and asks for the ratio of each such pair.
 * What a machine adds for minutes at a time is in both halves of a pair, so a ratio shows differences that are smaller than those
 * between rounds.
 *
 * <p>Warm-up, rounds and orders as in a {@link Race}.
 */
final class Pairs {

    private final BenchContext context;
    private final Contender baseline;
    private final List<Contender> contenders;
    private final List<Double> baselineSpeeds = new ArrayList<>();
    private final Map<Contender, List<Double>> speeds = new HashMap<>();
    private final Map<Contender, List<Double>> ratios = new HashMap<>();

    Pairs(BenchContext context, Contender baseline, List<? extends Contender> contenders) {
        this.context = context;
        this.baseline = baseline;
        this.contenders = List.copyOf(contenders);
    }

    void run() throws SQLException {
        Laps laps = new Laps(context);
        laps.rounds(contenders, (round, next) -> {
            // before it in every other round, and each round for half of them
            boolean isFirst = (round + contenders.indexOf(next)) % 2 == 0;
            double one = laps.measure(round, isFirst ? baseline : next).whole();
            double other = laps.measure(round, isFirst ? next : baseline).whole();
            if (round > 0) {
                add(next, isFirst ? one : other, isFirst ? other : one);
            }
        });
    }

    private void add(Contender contender, double ofBaseline, double ofContender) {
        baselineSpeeds.add(ofBaseline);
        speeds.computeIfAbsent(contender, any -> new ArrayList<>()).add(ofContender);
        ratios.computeIfAbsent(contender, any -> new ArrayList<>()).add(ofContender / ofBaseline);
    }

    /** Events per second of the baseline, beside whichever contender. */
    Samples baselineSpeed() {
        return new Samples(baselineSpeeds);
    }

    /** Events per second over the whole time, start-up and last commit included. */
    Samples speed(Contender contender) {
        return new Samples(Objects.requireNonNull(speeds.get(contender), contender.name()));
    }

    /** Of the baseline's speed, pair by pair; of several contenders all pairs. */
    Samples ratio(Contender... of) {
        return new Samples(Arrays.stream(of)
                .flatMap(contender -> Objects.requireNonNull(ratios.get(contender), contender.name()).stream())
                .toList());
    }
}
