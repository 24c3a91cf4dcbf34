package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Shows that every rule is needed, and that the simulation would notice: without it a promise is broken. */
@Tag("slow")
class SafeguardsAreNeededTest {

    private static final int MOST_SEEDS = 20_000;
    private static final int MOST_SEEDS_OF_A_SOAK = 200_000;

    @ParameterizedTest(name = "without {0}")
    @EnumSource(Safeguard.class)
    void aPromiseIsBrokenWithoutThisRuleOfTheEngine(Safeguard rule) {
        assertThat(search(EnumSet.of(rule), Set.of(), MOST_SEEDS)).isPresent();
    }

    @ParameterizedTest(name = "without {0}")
    @EnumSource(
            value = StoreRule.class,
            names = {
                "READS_BRING_LATE_ROWS",
                "SNAPSHOTS_NAME_WHAT_IS_IN_PROGRESS",
                "CHECKPOINTS_ARE_COMPARED",
                "FLUSHES_CHECK_THE_INCARNATION",
                "PRUNING_GOES_BY_VISIBILITY",
                "PRUNING_ASKS_EVERY_ROUTE",
                "PRUNING_KEEPS_DETOURS",
                "PRUNING_KEEPS_BLOCKED_KEYS",
                "A_ROUTE_STARTS_AT_A_SNAPSHOT",
                "RESTORED_LOGS_ARE_REBASED",
                "LANES_THAT_MOVED_BEGIN_AGAIN",
                "RUNS_STOP",
                "EFFECTS_ARE_FENCED"
            })
    void aPromiseIsBrokenWithoutThisRuleOfTheStore(StoreRule rule) {
        assertThat(search(Set.of(), EnumSet.of(rule), MOST_SEEDS)).isPresent();
    }

    /** What a fence or a fresh look would have refused, the compare-and-set refuses too; so both are switched off. */
    @ParameterizedTest(name = "without {0}")
    @MethodSource("backedUp")
    void aPromiseIsBrokenWithoutThisRuleUnlessCheckpointsAreCompared(Set<StoreRule> rules) {
        assertThat(search(Set.of(), rules, MOST_SEEDS)).isPresent();
    }

    static Stream<Set<StoreRule>> backedUp() {
        return Stream.of(
                EnumSet.of(StoreRule.LOADS_SEE_THE_NEWEST, StoreRule.CHECKPOINTS_ARE_COMPARED),
                EnumSet.of(StoreRule.FLUSHES_ARE_FENCED, StoreRule.CHECKPOINTS_ARE_COMPARED),
                EnumSet.of(StoreRule.THE_FENCE_IS_LOCKED, StoreRule.CHECKPOINTS_ARE_COMPARED));
    }

    /** It takes a flush that stalls while its lane changes hands twice and comes back: rare even when looked for. */
    @Test
    @EnabledIfSystemProperty(
            named = "posthorn.size",
            matches = "soak",
            disabledReason = "it may take 200,000 seeds; ./test --soak runs it")
    void aPromiseIsBrokenWithoutNewEpochsUnlessCheckpointsAreCompared() {
        Set<StoreRule> rules = EnumSet.of(StoreRule.TAKEOVERS_RAISE_THE_EPOCH, StoreRule.CHECKPOINTS_ARE_COMPARED);
        assertThat(search(Set.of(), rules, MOST_SEEDS_OF_A_SOAK)).isPresent();
    }

    private static Optional<Violation> search(Set<Safeguard> off, Set<StoreRule> storeOff, int most) {
        for (int seed = 1; seed <= most; seed++) {
            Optional<Violation> found =
                    Simulation.run(seed, off, storeOff, false).violation();
            if (found.isPresent()) {
                String what = String.valueOf(found.get().getMessage());
                System.out.printf(
                        Locale.ROOT,
                        "Without %s: found with seed %d: %s%n",
                        off.isEmpty() ? storeOff : off,
                        seed,
                        what.substring(0, Math.min(120, what.length())));
                return found;
            }
        }
        return Optional.empty();
    }
}
