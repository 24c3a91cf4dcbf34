package dev.posthorn.relay;

import java.util.Set;

/**
 * How rough a run is. Where a rule is switched off the run is of the kind in which that rule matters, so that few seeds
 * suffice to show it.
 *
 * @param disturbances how often something breaks, as a share of all that happens
 * @param stalls how often a call takes so long that leases run out meanwhile
 * @param flushStalls the same before a flush takes effect
 * @param storeFaults how often a call to the database fails
 * @param failovers how often an older copy of the database is made, or takes over
 * @param bulky whether transactions are large and long
 */
record Temper(
        double disturbances, double stalls, double flushStalls, double storeFaults, double failovers, boolean bulky) {

    static Temper of(Dice dice, Set<Safeguard> off, Set<StoreRule> storeOff) {
        Temper any = new Temper(
                dice.oneOf(3, 7, 15) / 100.0,
                dice.oneOf(2, 5, 20) / 100.0,
                dice.oneOf(1, 1, 30) / 100.0,
                dice.oneOf(0, 1, 5) / 100.0,
                dice.chance(0.25) ? 0.01 : 0,
                dice.chance(0.3));
        if (off.contains(Safeguard.INCARNATION_IS_CHECKED)
                || storeOff.contains(StoreRule.FLUSHES_CHECK_THE_INCARNATION)) {
            return new Temper(0.01, any.stalls, any.flushStalls, 0, 0.02, any.bulky);
        }
        if (off.contains(Safeguard.LATE_PAGES_ARE_PINNED)) {
            return new Temper(0.01, any.stalls, any.flushStalls, 0, 0, true);
        }
        if (storeOff.contains(StoreRule.TAKEOVERS_RAISE_THE_EPOCH)) {
            return new Temper(0.1, any.stalls, 0.5, 0, 0, any.bulky);
        }
        if (storeOff.contains(StoreRule.CHECKPOINTS_ARE_COMPARED)) {
            return new Temper(0.03, any.stalls, 0.3, storeOff.size() > 1 ? 0 : 0.05, 0, any.bulky);
        }
        return any;
    }
}
