package dev.posthorn.demo;

/**
 * What producers do to make it hard, each as a share of their transactions.
 *
 * @param rollbacks emit and roll back
 * @param savepoints emit, go back to a savepoint, and do something else
 * @param lateCommits emit and stay open for a while
 */
record Mischief(double rollbacks, double savepoints, double lateCommits) {}
