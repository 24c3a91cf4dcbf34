package dev.posthorn.demo;

/**
 * What the database says: for each hand there should be five events, three of its own, one of its winner and one of its table, and
 * for each request of a seat three.
 *
 * @param expected events of the hands and requests that were committed
 * @param arrived of those, how many are on the display
 * @param invented what is on the display, or was done, without such a hand or request
 * @param twice what happened beyond the first time
 * @param outOfOrder events on the display after a later one of their player, table or hand
 * @param unsettled hands whose winner, table, history or statistics lack something, and requests without an end
 */
record PokerFindings(long expected, long arrived, long invented, long twice, long outOfOrder, long unsettled) {

    long lost() {
        return expected - arrived;
    }

    boolean isClean() {
        return lost() == 0 && invented == 0 && twice == 0 && outOfOrder == 0 && unsettled == 0;
    }
}
