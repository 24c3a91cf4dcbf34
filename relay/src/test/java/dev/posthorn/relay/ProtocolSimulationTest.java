package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Runs the engine through thousands of random histories. Prints the first seed of each run; {@code -Dposthorn.seed=…}
 * begins there, so a broken one is replayed exactly. {@code -Dposthorn.seeds=…} says how many.
 */
class ProtocolSimulationTest {

    private static final int TRACE_LINES = 60;

    @Test
    void whateverBreaksNothingIsLostInventedOrOutOfOrderAndAllOfItDrainsInTheEnd() {
        long first = firstSeed();
        int seeds = howMany();
        long events = 0;
        long duplicates = 0;
        for (long seed = first; seed < first + seeds; seed++) {
            Simulation.Result result = Simulation.run(seed, Set.of(), Set.of(), false);
            if (result.violation().isPresent()) {
                throw new AssertionError(
                        report(seed, result.violation().get()),
                        result.violation().get());
            }
            events += result.events();
            duplicates += result.duplicates();
        }
        System.out.printf(
                "Simulated the protocol with seeds %d to %d: %,d events, %,d duplicates, each one explained.%n",
                first, first + seeds - 1, events, duplicates);
    }

    @Test
    void theSameSeedIsTheSameHistory() {
        for (long seed = 1; seed <= 60; seed++) {
            List<String> once = Simulation.run(seed, Set.of(), Set.of(), true).trace();
            List<String> again = Simulation.run(seed, Set.of(), Set.of(), true).trace();
            assertThat(again).as("seed %d", seed).isEqualTo(once).isNotEmpty();
        }
    }

    private static String report(long seed, Violation violation) {
        List<String> trace = Simulation.run(seed, Set.of(), Set.of(), true).trace();
        List<String> last = trace.subList(Math.max(0, trace.size() - TRACE_LINES), trace.size());
        return violation.getMessage() + "\nReplay with -Dposthorn.seeds=1 -Dposthorn.seed=" + seed
                + "\nThe end of it:\n  " + String.join("\n  ", last);
    }

    private static long firstSeed() {
        Long given = Long.getLong("posthorn.seed");
        return given != null ? given : System.nanoTime() & 0xFFFF_FFFFL;
    }

    private static int howMany() {
        Integer given = Integer.getInteger("posthorn.seeds");
        if (given != null) {
            return given;
        }
        return switch (System.getProperty("posthorn.size", "normal")) {
            case "fast" -> 1_500;
            case "soak" -> 100_000;
            default -> 10_000;
        };
    }
}
