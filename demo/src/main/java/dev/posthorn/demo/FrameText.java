package dev.posthorn.demo;

import dev.posthorn.relay.RelayStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A frame as lines of at most 78 characters, 19 of them. */
final class FrameText {

    private static final int WIDTH = 76;
    private static final int HISTORY_WIDTH = 60;
    private static final String BARS = "▁▂▃▄▅▆▇█";
    private static final String ASCII_BARS = "_.-=+*#@";

    private final boolean unicode;

    FrameText(boolean unicode) {
        this.unicode = unicode;
    }

    List<String> lines(Frame frame) {
        Frame.Setting setting = frame.setting();
        Frame.Flow flow = frame.flow();
        List<String> lines = new ArrayList<>();
        lines.add(head(frame));
        lines.add(setting.console().isEmpty() ? "" : "console at " + setting.console());
        lines.add(ends(frame.phase(), goal(frame)));
        lines.add(bar(frame));
        lines.add("");
        lines.add(row("emitted", flow.emitted(), perSecond(flow.emittedPerSecond()), producersOf(setting)));
        lines.add(row("published", flow.published(), perSecond(flow.publishedPerSecond()), lanesOf(frame)));
        lines.add(row("backlog", flow.backlog(), "", breakerOf(frame)));
        lines.add(String.format(
                Locale.ROOT,
                "  %-12s p50 %s   p99 %s   (commit to arrival, last 5 s)",
                "lag",
                Numbers.millis(flow.lag().p50()),
                Numbers.millis(flow.lag().p99())));
        lines.add("");
        lines.add("  published/s  " + history(flow.history()));
        lines.add("");
        lines.addAll(trouble(frame));
        lines.add("");
        lines.add("Ctrl-C stops the producers, drains the backlog and gives the verdict.");
        return indented(lines);
    }

    /** What is worth to be left behind, above a verdict. */
    List<String> summary(Frame frame) {
        List<String> lines = new ArrayList<>();
        lines.add(head(frame));
        lines.add("");
        lines.addAll(trouble(frame));
        return indented(lines);
    }

    private static List<String> indented(List<String> lines) {
        return lines.stream().map(line -> ("  " + line).stripTrailing()).toList();
    }

    private String head(Frame frame) {
        return ends(
                "posthorn demo" + dot() + frame.setting().database(),
                "seed " + frame.setting().seed() + dot() + Numbers.clock(frame.elapsed()));
    }

    private static List<String> trouble(Frame frame) {
        List<String> lines = new ArrayList<>();
        Frame.Trouble trouble = frame.trouble();
        RelayStatus.Totals totals = frame.relay().totals();
        lines.add(String.format(Locale.ROOT, "%-36s%s", "made hard on purpose", "what the relay makes of it"));
        lines.add(pair("rolled back", trouble.rolledBack(), "retries", totals.failedAttempts()));
        lines.add(pair(
                "to savepoint",
                trouble.savepoints(),
                "blocked keys",
                frame.relay().blockedKeys()));
        lines.add(pair("late commits", trouble.lateCommits(), "dead", totals.dead()));
        lines.add(pair("outages", trouble.outages(), "database errors", trouble.databaseErrors()));
        return lines;
    }

    private static String goal(Frame frame) {
        return frame.progress().isPresent()
                ? String.format(
                        Locale.ROOT,
                        "%.0f %% of %s",
                        frame.progress().getAsDouble() * 100,
                        frame.setting().goal())
                : frame.setting().goal();
    }

    private String bar(Frame frame) {
        if (frame.progress().isEmpty()) {
            return (unicode ? "─" : "-").repeat(WIDTH);
        }
        int full = (int) Math.round(frame.progress().getAsDouble() * WIDTH);
        return (unicode ? "█" : "#").repeat(full) + (unicode ? "░" : ".").repeat(WIDTH - full);
    }

    private static String row(String name, long count, String rate, String note) {
        return String.format(Locale.ROOT, "  %-12s %12s %12s   %s", name, Numbers.count(count), rate, note);
    }

    private static String pair(String left, long leftCount, String right, long rightCount) {
        return String.format(
                Locale.ROOT,
                "  %-12s %12s         %-16s %12s",
                left,
                Numbers.count(leftCount),
                right,
                Numbers.count(rightCount));
    }

    private static String perSecond(double rate) {
        return Numbers.count(Math.round(rate)) + "/s";
    }

    private static String producersOf(Frame.Setting setting) {
        return setting.producers() + " producers, " + Numbers.count(setting.accounts()) + " keys";
    }

    private static String lanesOf(Frame frame) {
        return frame.relay().lanes().size() + " lanes, " + frame.relay().inFlight() + " in flight";
    }

    private static String breakerOf(Frame frame) {
        return frame.relay().outage().map(reason -> "outage: " + reason).orElse("breaker closed");
    }

    /** Newest on the right. */
    private String history(List<Double> values) {
        List<Double> shown = values.subList(Math.max(0, values.size() - HISTORY_WIDTH), values.size());
        double most = shown.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        StringBuilder bars = new StringBuilder();
        for (double value : shown) {
            int height = most == 0 ? 0 : (int) Math.round(value / most * (BARS.length() - 1));
            bars.append((unicode ? BARS : ASCII_BARS).charAt(height));
        }
        return bars.toString();
    }

    private String dot() {
        return unicode ? " · " : " - ";
    }

    private static String ends(String left, String right) {
        int gap = Math.max(1, WIDTH - left.length() - right.length());
        return left + " ".repeat(gap) + right;
    }
}
