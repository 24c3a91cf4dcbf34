package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Shows that every rule is needed, and that the simulation would notice: without it a promise is broken. */
class SafeguardsAreNeededTest {

    private static final int MOST_SEEDS = 20_000;

    @ParameterizedTest(name = "without {0}")
    @EnumSource(Safeguard.class)
    void aPromiseIsBrokenWithoutThisRuleOfTheEngine(Safeguard rule) {
        assertThat(search(EnumSet.of(rule), Set.of())).isPresent();
    }

    @ParameterizedTest(name = "without {0}")
    @MethodSource("rulesOfTheStore")
    void aPromiseIsBrokenWithoutThisRuleOfTheStore(Set<StoreRule> rules) {
        assertThat(search(Set.of(), rules)).isPresent();
    }

    /**
     * The compare-and-set on checkpoints and the fence back each other up: order and completeness survive the loss of
     * either, so those are switched off together.
     */
    static Stream<Arguments> rulesOfTheStore() {
        return Stream.of(
                        EnumSet.of(StoreRule.READS_BRING_LATE_ROWS),
                        EnumSet.of(StoreRule.SNAPSHOTS_NAME_WHAT_IS_IN_PROGRESS),
                        EnumSet.of(StoreRule.LOADS_SEE_THE_NEWEST),
                        EnumSet.of(StoreRule.FLUSHES_CHECK_THE_INCARNATION),
                        EnumSet.of(StoreRule.FLUSHES_ARE_FENCED, StoreRule.CHECKPOINTS_ARE_COMPARED),
                        EnumSet.of(StoreRule.THE_FENCE_IS_LOCKED, StoreRule.CHECKPOINTS_ARE_COMPARED),
                        EnumSet.of(StoreRule.TAKEOVERS_RAISE_THE_EPOCH, StoreRule.CHECKPOINTS_ARE_COMPARED))
                .map(Arguments::of);
    }

    private static Optional<Violation> search(Set<Safeguard> off, Set<StoreRule> storeOff) {
        for (int seed = 1; seed <= MOST_SEEDS; seed++) {
            Optional<Violation> found =
                    Simulation.run(seed, off, storeOff, false).violation();
            if (found.isPresent()) {
                System.out.printf(
                        "Without %s%s: seed %d, %s%n",
                        off.isEmpty() ? "" : off,
                        storeOff.isEmpty() ? "" : storeOff,
                        seed,
                        String.valueOf(found.get().getMessage())
                                .lines()
                                .findFirst()
                                .orElse(""));
                return found;
            }
        }
        return Optional.empty();
    }
}
