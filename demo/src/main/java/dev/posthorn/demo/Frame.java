package dev.posthorn.demo;

import dev.posthorn.relay.RelayStatus;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Everything there is to show at one moment.
 *
 * @param phase what is going on, as in "running"
 * @param progress towards the goal, 0 to 1
 */
record Frame(
        Setting setting,
        String phase,
        Duration elapsed,
        OptionalDouble progress,
        Flow flow,
        Trouble trouble,
        RelayStatus relay) {

    /**
     * What does not change while it runs.
     *
     * @param console its address, or empty if there is none
     */
    record Setting(String database, String console, String goal, int producers, int accounts, long seed) {}

    /**
     * How much moves.
     *
     * @param history published a second, oldest first
     */
    record Flow(
            long emitted,
            double emittedPerSecond,
            long published,
            double publishedPerSecond,
            long backlog,
            LagMeter.Lag lag,
            List<Double> history) {}

    /** What went wrong on purpose, and database errors, which did not. */
    record Trouble(long rolledBack, long savepoints, long lateCommits, long outages, long databaseErrors) {}
}
