package dev.posthorn.benchmarks;

import java.util.List;
import java.util.Map;

/**
 * What a benchmark found.
 *
 * @param headline the figure the benchmark is about, ours and that of the baseline
 * @param runs how often each contender was measured
 * @param lines every contender's figures
 * @param floors what was promised, and whether it holds
 * @param notes what else a reader should know: sizes, settings, side findings
 */
record BenchResult(
        String name, Headline headline, int runs, List<Line> lines, List<Floor> floors, Map<String, Object> notes) {

    /** Medians in one unit. */
    record Headline(String unit, double ours, double baseline) {
        double ratio() {
            return ours / baseline;
        }
    }

    /** One contender's figure. */
    record Line(String contender, String unit, Samples samples) {}

    BenchResult {
        lines = List.copyOf(lines);
        floors = List.copyOf(floors);
    }

    boolean holds() {
        return floors.stream().allMatch(Floor::holds);
    }
}
