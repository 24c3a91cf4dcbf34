package dev.posthorn.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How the run ended, with the keys of {@link Verdict}: committed and published are events of the projection, which gets all.
 *
 * @param duplicates deliveries that the consumers recognised
 * @param eventsPerSecond from the first transaction to the last effect of the projection
 */
record OpenpawVerdict(
        OpenpawFindings found,
        OpenpawTraces traces,
        long duplicates,
        LagMeter.Lag lag,
        double eventsPerSecond,
        long seed)
        implements Told {

    @Override
    public int exitCode() {
        return found.isClean() ? 0 : 1;
    }

    private Score score() {
        Score.Counts counts = new Score.Counts(
                found.expected(), found.arrived(), found.lost(), found.invented(), duplicates, found.outOfOrder());
        return new Score(counts, lag, eventsPerSecond, seed);
    }

    @Override
    public String json() {
        return score().json(troubles());
    }

    private Map<String, Long> troubles() {
        Map<String, Long> troubles = new LinkedHashMap<>();
        troubles.put("twice", found.twice());
        troubles.put("unsettled", found.unsettled());
        return troubles;
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("  The versions of assets against what each service did about them, by SQL:");
        lines.add("");
        lines.add(score().found(found.twice()));
        lines.add("    " + Numbers.count(traces.runs()) + " workflow runs for " + Numbers.count(found.expected() / 3)
                + " commands; " + Numbers.count(found.unsettled()) + " versions unsettled");
        lines.add(score().pace());
        lines.add("");
        lines.addAll(promises());
        lines.add("");
        lines.add(found.isClean() ? "  Every committed event had its effects, once and in order." : "  FAILED");
        return lines;
    }

    private List<String> promises() {
        return List.of(
                "  What the design promises               what was seen",
                promise(
                        "no lost critical domain events",
                        Numbers.count(found.expected()) + " committed, " + Numbers.count(found.arrived())
                                + " delivered"),
                promise(
                        "no duplicate effects per handler",
                        Numbers.count(found.twice()) + " happened twice, with " + Numbers.count(duplicates)
                                + " deliveries of what was handled before"),
                promise(
                        "delivery and handling can be audited",
                        Numbers.count(traces.delivered()) + " rows with delivered_at, " + Numbers.count(traces.marks())
                                + " marks, " + Numbers.count(traces.steps()) + " steps"),
                "",
                "  What it does not promise               what was seen",
                promise(
                        "exactly-once transport delivery",
                        Numbers.count(duplicates) + " duplicates were delivered and recognised"),
                promise(
                        "order across types of events",
                        Numbers.count(traces.crossed()) + " events arrived after a later one of another stream"));
    }

    private static String promise(String what, String seen) {
        return String.format(Locale.ROOT, "    %-37s%s", what, seen);
    }
}
