package dev.posthorn.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the run ended, with the keys of {@link Verdict}: committed and published are events of the read model, which gets all.
 *
 * @param duplicates deliveries that the consumers recognised
 * @param calls how often the rail was called
 * @param eventsPerSecond from the first transaction to the last effect of the read model
 */
record TransfersVerdict(
        TransfersFindings found, long duplicates, long calls, LagMeter.Lag lag, double eventsPerSecond, long seed)
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
        troubles.put("unbalanced", found.unbalanced());
        return troubles;
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("  The transfers against what each service did about them, by SQL:");
        lines.add("");
        lines.add(score().found(found.twice()));
        lines.add("    " + Numbers.count(calls) + " calls of the rail, " + Numbers.count(found.expected() / 3)
                + " payments; " + Numbers.count(found.unbalanced()) + " transfers unsettled or unbalanced");
        lines.add(score().pace());
        lines.add("");
        lines.add(found.isClean() ? "  Every committed event had its effects, once and in order." : "  FAILED");
        return lines;
    }
}
