package dev.posthorn.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the run ended, with the keys of {@link Verdict}: committed and published are events of the display, which shows all.
 *
 * @param transport over which it was played
 * @param duplicates deliveries that the parts recognised, those to catch up among them
 * @param eventsPerSecond from the first transaction to the last event on the display
 */
record PokerVerdict(
        PokerFindings found, String transport, long duplicates, LagMeter.Lag lag, double eventsPerSecond, long seed)
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
        Map<String, Long> troubles = new LinkedHashMap<>();
        troubles.put("twice", found.twice());
        troubles.put("unsettled", found.unsettled());
        return score().json(troubles);
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("  The hands and seats against what each part did about them over " + transport + ", by SQL:");
        lines.add("");
        lines.add(score().found(found.twice()));
        lines.add("    " + Numbers.count(found.unsettled()) + " hands or seats without their end");
        lines.add(score().pace());
        lines.add("");
        lines.add(found.isClean() ? "  Every committed event had its effects, once and in order." : "  FAILED");
        return lines;
    }
}
