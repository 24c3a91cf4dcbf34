package dev.posthorn.relay;

import java.util.Set;

/** What all routes have in common: one log, one clock, and whose history it is. */
final class SimulatedDatabase {

    static final int LANES = 2;

    final SimulatedLog log;
    final Clockwork clock;
    final Set<StoreRule> off;
    private int incarnation = 1;

    SimulatedDatabase(Clockwork clock, Set<StoreRule> off) {
        this.clock = clock;
        this.off = off;
        this.log = new SimulatedLog(clock, off);
    }

    boolean isOff(StoreRule rule) {
        return off.contains(rule);
    }

    String incarnation() {
        return "incarnation-" + incarnation;
    }

    /** An older copy of the log takes over, here or in another cluster. */
    void become(SimulatedLog.Copy copy) {
        log.failOverTo(copy);
        incarnation++;
    }
}
