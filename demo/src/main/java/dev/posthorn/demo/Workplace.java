package dev.posthorn.demo;

import javax.sql.DataSource;

/**
 * What all producers share.
 *
 * @param committed called after each commit, so that the relay looks at once
 */
record Workplace(DataSource pool, Bank bank, int accounts, Goal goal, Pace pace, Meters meters, Runnable committed) {

    /** Where producers note what they did. */
    record Meters(Tally tally, LagMeter lag) {}

    Tally tally() {
        return meters.tally();
    }

    LagMeter lag() {
        return meters.lag();
    }
}
