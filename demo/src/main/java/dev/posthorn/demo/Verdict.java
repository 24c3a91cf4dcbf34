package dev.posthorn.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How the run ended.
 *
 * @param findings what the database says
 * @param lag from commit to arrival, of all events
 * @param eventsPerSecond published, over the time from the first transaction to the last arrival
 * @param seed to run it again with
 */
record Verdict(Findings findings, LagMeter.Lag lag, double eventsPerSecond, long seed) implements Told {

    /** 0 if nothing was lost, invented or out of order and the books are right, else 1. */
    @Override
    public int exitCode() {
        return findings.isClean() ? 0 : 1;
    }

    private Score score() {
        Score.Counts counts = new Score.Counts(
                findings.committed(),
                findings.published(),
                findings.lost(),
                findings.invented(),
                findings.duplicates(),
                findings.outOfOrder());
        return new Score(counts, lag, eventsPerSecond, seed);
    }

    @Override
    public String json() {
        return score().json(Map.of("dead", findings.dead()));
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("  The books against what arrived, by SQL:");
        lines.add("");
        lines.add(line("committed", findings.committed(), findings.wrongBooks() == 0 ? "the books add up" : ""));
        lines.add(line("published", findings.published(), ""));
        if (findings.dead() > 0) {
            lines.add(line("dead", findings.dead(), "refused for good, and shown as such"));
        }
        lines.add(line("lost", findings.lost(), ""));
        lines.add(line("invented", findings.invented(), ""));
        lines.add(line("out of order", findings.outOfOrder(), ""));
        lines.add(line("duplicates", findings.duplicates(), ""));
        if (findings.wrongBooks() > 0) {
            lines.add(line("wrong books", findings.wrongBooks(), "accounts or transfers that do not add up"));
        }
        lines.add("");
        lines.add("    " + score().speed());
        lines.add("");
        lines.add(findings.isClean() ? "  Every committed event arrived, in order." : "  FAILED");
        return lines;
    }

    private static String line(String name, long count, String note) {
        return String.format(Locale.ROOT, "    %-12s %12s   %s", name, Numbers.count(count), note)
                .stripTrailing();
    }
}
