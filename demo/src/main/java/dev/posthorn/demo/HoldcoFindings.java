package dev.posthorn.demo;

import dev.posthorn.examples.holdco.Queue;

/**
 * What the database says about one queue, in numbers of events.
 *
 * @param expected changes in the history that its bindings stand for
 * @param arrived of those, how many had their effect
 * @param dead of those, how many had none and stand as dead in event_outbox
 * @param invented effects without such a change
 * @param twice effects of a change beyond its first
 * @param outOfOrder first effects after that of a later version of the same aggregate
 */
record HoldcoFindings(Queue queue, long expected, long arrived, long dead, long invented, long twice, long outOfOrder) {

    long lost() {
        return expected - arrived - dead;
    }

    boolean isClean() {
        return lost() == 0 && invented == 0 && twice == 0 && outOfOrder == 0;
    }
}
