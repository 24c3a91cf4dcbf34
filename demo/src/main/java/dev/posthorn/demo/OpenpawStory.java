package dev.posthorn.demo;

import java.util.List;
import java.util.Locale;

/** What the design of openpaw promises, and what it does not, beside what was seen. */
final class OpenpawStory {

    private OpenpawStory() {}

    static ExampleVerdict.Story of(ExampleFindings found, OpenpawTraces traces, long duplicates) {
        return new ExampleVerdict.Story(
                "The versions of assets against what each service did about them",
                "unsettled",
                List.of(Numbers.count(traces.runs()) + " workflow runs for " + Numbers.count(found.expected() / 3)
                        + " commands; " + Numbers.count(found.amiss()) + " versions unsettled"),
                promises(found, traces, duplicates));
    }

    private static List<String> promises(ExampleFindings found, OpenpawTraces traces, long duplicates) {
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
