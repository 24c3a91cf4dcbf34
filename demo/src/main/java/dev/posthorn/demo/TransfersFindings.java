package dev.posthorn.demo;

/**
 * What the database says, in numbers of events; of each transfer there should be three.
 *
 * @param expected events of the transfers that were committed
 * @param arrived of those, how many had their effect in the read model
 * @param invented effects without such a transfer
 * @param twice effects of an event beyond its first, payments of a transfer beyond its first, at any service
 * @param outOfOrder effects after that of a later event of the same transfer
 * @param unbalanced transfers whose postings are missing or do not sum up to nothing
 */
record TransfersFindings(long expected, long arrived, long invented, long twice, long outOfOrder, long unbalanced) {

    long lost() {
        return expected - arrived;
    }

    boolean isClean() {
        return lost() == 0 && invented == 0 && twice == 0 && outOfOrder == 0 && unbalanced == 0;
    }
}
