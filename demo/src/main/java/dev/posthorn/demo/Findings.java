package dev.posthorn.demo;

/**
 * What the database says about the run, in numbers of events.
 *
 * @param committed entries in the books; each implies one event
 * @param published of those, how many arrived
 * @param dead of those, how many did not arrive and stand in the log as failed for good
 * @param invented arrivals without an entry
 * @param duplicates arrivals of an event beyond its first
 * @param outOfOrder first arrivals after a later version of the same account
 * @param wrongBooks accounts and transfers that do not add up
 */
record Findings(
        long committed, long published, long dead, long invented, long duplicates, long outOfOrder, long wrongBooks) {

    /** Committed, and neither arrived nor dead. */
    long lost() {
        return committed - published - dead;
    }

    boolean isClean() {
        return lost() == 0 && invented == 0 && outOfOrder == 0 && wrongBooks == 0;
    }
}
