package dev.posthorn.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the run ended, with the keys of {@link Verdict}: committed are changes of licenses, published those with a notice.
 *
 * @param duplicates deliveries that the worker recognised
 * @param eventsPerSecond from the first transaction to the last notice
 */
record LicensesVerdict(LicensesFindings found, long duplicates, LagMeter.Lag lag, double eventsPerSecond, long seed)
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
        troubles.put("wrong", found.wrong());
        return troubles;
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("  The history of the licenses against the notices about them, by SQL:");
        lines.add("");
        lines.add(score().found(found.twice()));
        if (found.wrong() > 0) {
            lines.add("    " + Numbers.count(found.wrong())
                    + " notices to somebody else, or with another reason or link");
        }
        lines.add(score().pace());
        lines.add("");
        lines.add(found.isClean() ? "  Every committed event had its notice, once and in order." : "  FAILED");
        return lines;
    }
}
