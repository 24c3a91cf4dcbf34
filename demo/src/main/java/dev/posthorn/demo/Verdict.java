package dev.posthorn.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How the run ended.
 *
 * @param findings what the database says
 * @param lag from commit to arrival, of all events
 * @param eventsPerSecond published, over the time from the first transaction to the last arrival
 * @param seed to run it again with
 */
record Verdict(Findings findings, LagMeter.Lag lag, double eventsPerSecond, long seed) {

    /** 0 if nothing was lost, invented or out of order and the books are right, else 1. */
    int exitCode() {
        return findings.isClean() ? 0 : 1;
    }

    String json() {
        String dead = findings.dead() == 0 ? "" : "\"dead\":" + findings.dead() + ",";
        return String.format(
                Locale.ROOT,
                "{\"committed\":%d,\"published\":%d,\"lost\":%d,\"invented\":%d,\"duplicates\":%d,"
                        + "\"out_of_order\":%d,%s\"lag_p50_ms\":%.1f,\"lag_p99_ms\":%.1f,\"events_per_s\":%.0f,"
                        + "\"seed\":%d}",
                findings.committed(),
                findings.published(),
                findings.lost(),
                findings.invented(),
                findings.duplicates(),
                findings.outOfOrder(),
                dead,
                lag.p50(),
                lag.p99(),
                eventsPerSecond,
                seed);
    }

    List<String> lines() {
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
        lines.add("    " + Numbers.count(Math.round(eventsPerSecond)) + " events/s, lag p50 "
                + Numbers.millis(lag.p50()) + ", p99 " + Numbers.millis(lag.p99()) + ", seed " + seed);
        lines.add("");
        lines.add(findings.isClean() ? "  Every committed event arrived, in order." : "  FAILED");
        return lines;
    }

    private static String line(String name, long count, String note) {
        return String.format(Locale.ROOT, "    %-12s %12s   %s", name, Numbers.count(count), note)
                .stripTrailing();
    }
}
