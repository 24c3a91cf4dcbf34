package dev.posthorn.benchmarks;

import java.util.Locale;

/** Writes a result for people. */
final class ResultText {

    private ResultText() {}

    static String of(BenchResult result) {
        StringBuilder text = new StringBuilder();
        int width = result.lines().stream()
                .mapToInt(line -> line.contender().length())
                .max()
                .orElse(0);
        line(text, "%s, median of %d", result.name(), result.runs());
        line(text, "");
        line(text, "  %-" + width + "s  %12s %12s %12s", "", "median", "least", "most");
        for (BenchResult.Line each : result.lines()) {
            Samples samples = each.samples();
            line(
                    text,
                    "  %-" + width + "s  %12s %12s %12s  %s",
                    each.contender(),
                    number(samples.median()),
                    number(samples.least()),
                    number(samples.most()),
                    each.unit());
        }
        line(text, "");
        for (Floor floor : result.floors()) {
            line(
                    text,
                    "  %-7s %s: %s (promised %s %s)",
                    floor.holds() ? "holds" : "MISSED",
                    floor.what(),
                    number(floor.value()),
                    floor.kind().sign,
                    number(floor.bound()));
        }
        line(text, "");
        result.notes()
                .forEach((name, value) ->
                        line(text, "  %s: %s", name, value instanceof Double figure ? number(figure) : value));
        return text.toString();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 1_000 ? "%,.0f" : "%.2f", value);
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
    }
}
