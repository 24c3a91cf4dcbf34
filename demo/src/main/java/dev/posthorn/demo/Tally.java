package dev.posthorn.demo;

import java.util.concurrent.atomic.LongAdder;

/** What the producers did, for the screen. The verdict does not look at it. */
final class Tally {

    final LongAdder committed = new LongAdder();
    final LongAdder rolledBack = new LongAdder();
    final LongAdder savepoints = new LongAdder();
    final LongAdder lateCommits = new LongAdder();
    final LongAdder databaseErrors = new LongAdder();
}
