package dev.posthorn.demo;

/**
 * What the database says, in numbers of events.
 *
 * @param expected changes of licenses that were committed
 * @param arrived of those, how many have a notice
 * @param invented notices without such a change
 * @param twice notices of a change beyond its first
 * @param outOfOrder notices after that of a later change of the same license
 * @param wrong notices to somebody else, or with another reason or link, than the change asks for
 */
record LicensesFindings(long expected, long arrived, long invented, long twice, long outOfOrder, long wrong) {

    long lost() {
        return expected - arrived;
    }

    boolean isClean() {
        return lost() == 0 && invented == 0 && twice == 0 && outOfOrder == 0 && wrong == 0;
    }
}
