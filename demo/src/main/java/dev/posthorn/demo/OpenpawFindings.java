package dev.posthorn.demo;

/**
 * What the database says, in numbers of events; of each version that an author wrote there should be three: that it was created,
 * that its copy was, and that its reward is settled.
 *
 * @param expected events of the versions that were committed
 * @param arrived of those, how many had their effect in the projection
 * @param invented effects without such a version, and copies of copies
 * @param twice effects of an event beyond its first, and ledger entries, copies and workflow runs beyond the first
 * @param outOfOrder effects after that of a later version of the same asset at the same site
 * @param unsettled versions without their ledger entry or their points
 */
record OpenpawFindings(long expected, long arrived, long invented, long twice, long outOfOrder, long unsettled) {

    long lost() {
        return expected - arrived;
    }

    boolean isClean() {
        return lost() == 0 && invented == 0 && twice == 0 && outOfOrder == 0 && unsettled == 0;
    }
}
