package dev.posthorn.relay;

import java.util.List;
import java.util.Optional;

/**
 * What a relay is doing right now.
 *
 * @param lanes the lanes it holds, none whose lease it could not renew in time
 * @param totals since it started
 * @param held events read but not checkpointed
 * @param inFlight publishes not answered
 * @param blockedKeys keys that wait
 * @param outage why nothing is published, if so: what the database or the destination said, or that the route is paused or
 *     retired
 * @param obstacle which of them it is
 */
public record RelayStatus(
        List<Integer> lanes,
        Totals totals,
        int held,
        int inFlight,
        int blockedKeys,
        Optional<String> outage,
        Obstacle obstacle) {

    /** What stands between the log and the destination. */
    public enum Obstacle {
        NONE,
        /** Someone paused the route. */
        PAUSE,
        /** The database does not answer, or takes no checkpoints. */
        DATABASE,
        /** The breaker is open. */
        DESTINATION,
        /** Someone retired the route: the relay has ended, or is about to. */
        RETIREMENT,
        /** It has been waiting for memory for long, see {@link MemoryBudget}. */
        MEMORY
    }

    /** Running totals. */
    public record Totals(long published, long failedAttempts, long dead, long reads, long flushes, long reloads) {}
}
