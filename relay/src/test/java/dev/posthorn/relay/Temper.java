package dev.posthorn.relay;

import java.util.EnumSet;
import java.util.Set;

/**
 * How rough a run is. Where a rule is switched off the run is of the kind in which that rule matters, so that few seeds
 * suffice to show it.
 *
 * @param routes how many there are at first
 * @param routeChanges how often one is added or retired, as a share of all that happens
 * @param faults what breaks
 * @param bulky whether transactions are large and long
 * @param handling how many routes have their events handled in the transaction of the checkpoint, as a share
 * @param lostAnswers how many answers get lost without a word, as a share
 */
record Temper(int routes, double routeChanges, Faults faults, boolean bulky, double handling, double lostAnswers) {

    private static final double FEW = 0.02;
    private static final double MANY = 0.1;

    private static final Set<Safeguard> OF_OUTAGES =
            EnumSet.range(Safeguard.ONLY_WHAT_FAILS_ALONE_IS_CHARGED, Safeguard.A_DESTINATION_RECOVERS_SLOWLY);

    /**
     * How often something goes wrong, as a share of all that happens or of all calls.
     *
     * @param disturbances relays stop, crash or stand still, or a destination is down
     * @param stalls a call takes so long that leases run out meanwhile
     * @param flushStalls the same before a flush takes effect
     * @param store a call to the database fails
     * @param failovers an older copy of the database is made, or takes over
     * @param restores a dump of the database is made, or restored into another cluster
     * @param memory the engine throws in the middle of something, as a share of all looks at the clock
     */
    record Faults(
            double disturbances,
            double stalls,
            double flushStalls,
            double store,
            double failovers,
            double restores,
            double memory) {}

    static Temper of(Dice dice, Set<Safeguard> off, Set<StoreRule> storeOff) {
        Temper any = any(dice);
        Faults usual = any.faults;
        if (off.contains(Safeguard.INCARNATION_IS_CHECKED)
                || storeOff.contains(StoreRule.FLUSHES_CHECK_THE_INCARNATION)) {
            return any.with(new Faults(0.01, usual.stalls, usual.flushStalls, 0, 0.02, 0, 0));
        }
        if (off.contains(Safeguard.LATE_PAGES_ARE_PINNED)) {
            return new Temper(1, 0, new Faults(0.01, usual.stalls, usual.flushStalls, 0, 0, 0, 0), true, 0, FEW);
        }
        if (off.contains(Safeguard.HELD_KEYS_STAND_STILL)) {
            return new Temper(1, 0, new Faults(0.01, 0.2, usual.flushStalls, 0, 0, 0, 0), false, 1, FEW);
        }
        if (storeOff.contains(StoreRule.TAKEOVERS_RAISE_THE_EPOCH)) {
            return any.with(new Faults(0.1, usual.stalls, 0.5, 0, 0, 0, 0));
        }
        if (storeOff.contains(StoreRule.CHECKPOINTS_ARE_COMPARED)) {
            return any.with(new Faults(0, 0.05, 0.9, storeOff.size() > 1 ? 0 : 0.03, 0, 0, 0));
        }
        if (storeOff.contains(StoreRule.LANES_THAT_MOVED_BEGIN_AGAIN)) {
            return any.with(new Faults(0.03, usual.stalls, usual.flushStalls, 0, 0, 0.02, 0));
        }
        if (storeOff.contains(StoreRule.EFFECTS_ARE_FENCED)) {
            return new Temper(1, 0, new Faults(0.1, usual.stalls, 0.3, 0, 0, 0, 0), false, 1, FEW);
        }
        if (off.contains(Safeguard.ANY_FAULT_OF_HANDLING_IS_A_DOUBT)) {
            return new Temper(1, 0, new Faults(0.03, usual.stalls, usual.flushStalls, 0.05, 0, 0, 0), false, 1, FEW);
        }
        if (off.contains(Safeguard.ANY_FAULT_UNDER_THE_LOCK_IS_A_DOUBT)
                || off.contains(Safeguard.LOST_ANSWERS_ARE_COUNTED)) {
            return any.with(new Faults(0.03, usual.stalls, usual.flushStalls, 0, 0, 0, 0.002));
        }
        if (off.stream().anyMatch(OF_OUTAGES::contains)) {
            return new Temper(1, 0, new Faults(0.03, usual.stalls, 0.01, 0, 0, 0, 0), any.bulky, 0, MANY);
        }
        return off.isEmpty() && storeOff.isEmpty() ? any : any.publishing();
    }

    private Temper publishing() {
        return new Temper(routes, routeChanges, faults, bulky, 0, lostAnswers);
    }

    boolean handles(Dice dice) {
        return handling > 0 && dice.chance(handling);
    }

    private static Temper any(Dice dice) {
        return new Temper(
                dice.oneOf(1, 1, 1, 2, 2, 3),
                dice.chance(0.25) ? 0.01 : 0,
                new Faults(
                        dice.oneOf(3, 7, 15) / 100.0,
                        dice.oneOf(2, 5, 20) / 100.0,
                        dice.oneOf(1, 1, 30) / 100.0,
                        dice.oneOf(0, 1, 5) / 100.0,
                        dice.chance(0.25) ? 0.01 : 0,
                        dice.chance(0.25) ? 0.01 : 0,
                        dice.chance(0.25) ? 0.0005 : 0),
                dice.chance(0.3),
                0.25,
                FEW);
    }

    /** One route only: what is looked for is the same on every one. */
    private Temper with(Faults chosen) {
        return new Temper(1, 0, chosen, bulky, 0, FEW);
    }
}
