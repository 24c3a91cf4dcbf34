package dev.posthorn.demo;

import dev.posthorn.examples.holdco.Queue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * How the run ended, with the keys of {@link Verdict}: committed and published are events of analytics.ingest, which gets
 * all; lost, invented and out of order are counted at every queue.
 *
 * @param queues what was found at each
 * @param wrongBooks aggregates that differ from their history
 * @param duplicates deliveries that the consumers recognised
 * @param eventsPerSecond from the first transaction to the last effect of analytics.ingest
 */
record HoldcoVerdict(
        List<HoldcoFindings> queues,
        long wrongBooks,
        long duplicates,
        LagMeter.Lag lag,
        double eventsPerSecond,
        long seed)
        implements Told {

    @Override
    public int exitCode() {
        return isClean() ? 0 : 1;
    }

    private boolean isClean() {
        return wrongBooks == 0 && queues.stream().allMatch(HoldcoFindings::isClean);
    }

    private long sum(ToLongFunction<HoldcoFindings> number) {
        return queues.stream().mapToLong(number).sum();
    }

    private HoldcoFindings analytics() {
        return queues.stream()
                .filter(found -> found.queue() == Queue.ANALYTICS)
                .findFirst()
                .orElseThrow();
    }

    private Score score() {
        Score.Counts counts = new Score.Counts(
                analytics().expected(),
                analytics().arrived(),
                sum(HoldcoFindings::lost),
                sum(HoldcoFindings::invented),
                duplicates,
                sum(HoldcoFindings::outOfOrder));
        return new Score(counts, lag, eventsPerSecond, seed);
    }

    @Override
    public String json() {
        return score().json(troubles());
    }

    private Map<String, Long> troubles() {
        Map<String, Long> troubles = new LinkedHashMap<>();
        troubles.put("dead", analytics().dead());
        troubles.put("twice", sum(HoldcoFindings::twice));
        return troubles;
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("  The history against the effects of each queue's consumer, by SQL:");
        lines.add("");
        lines.add(line("", List.of("expected", "arrived", "dead", "lost", "invented", "twice", "disorder")));
        for (HoldcoFindings found : queues) {
            lines.add(line(
                    found.queue().queueName(),
                    List.of(
                            Numbers.count(found.expected()),
                            Numbers.count(found.arrived()),
                            Numbers.count(found.dead()),
                            Numbers.count(found.lost()),
                            Numbers.count(found.invented()),
                            Numbers.count(found.twice()),
                            Numbers.count(found.outOfOrder()))));
        }
        if (wrongBooks > 0) {
            lines.add("    " + Numbers.count(wrongBooks) + " aggregates differ from their history");
        }
        lines.add("");
        lines.add(score().pace());
        lines.add("");
        lines.add(isClean() ? "  Every committed event had its effects, once and in order." : "  FAILED");
        return lines;
    }

    private static String line(String name, List<String> cells) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "    %-20s", name));
        cells.forEach(cell -> line.append(String.format(Locale.ROOT, "%10s", cell)));
        return line.toString();
    }
}
