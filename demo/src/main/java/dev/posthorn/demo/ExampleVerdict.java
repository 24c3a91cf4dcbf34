package dev.posthorn.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the run of an example ended, with the keys of {@link Verdict}.
 *
 * @param duplicates deliveries that its consumers recognised
 * @param eventsPerSecond from the first transaction to the last arrival
 */
record ExampleVerdict(
        ExampleFindings found, Story story, long duplicates, LagMeter.Lag lag, double eventsPerSecond, long seed)
        implements Told {

    /**
     * What is told of one example alone.
     *
     * @param heading what was compared with what
     * @param amiss the key of what else is not as it should be
     * @param facts lines beside the numbers
     * @param remarks lines below them
     */
    record Story(String heading, String amiss, List<String> facts, List<String> remarks) {

        Story(String heading, String amiss, List<String> facts) {
            this(heading, amiss, facts, List.of());
        }
    }

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
        troubles.put(story.amiss(), found.amiss());
        return score().json(troubles);
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("  " + story.heading() + ", by SQL:");
        lines.add("");
        lines.add(score().found(found.twice()));
        story.facts().forEach(fact -> lines.add("    " + fact));
        lines.add(score().pace());
        lines.add("");
        if (!story.remarks().isEmpty()) {
            lines.addAll(story.remarks());
            lines.add("");
        }
        lines.add(found.isClean() ? "  Every committed event had its effects, once and in order." : "  FAILED");
        return lines;
    }
}
