package dev.posthorn.transport;

import java.time.Duration;

/**
 * What a transport can do, as data; the contract tests and the README's table are read from it.
 *
 * @param ordered events of one key reach each subscriber in the order of their publishing
 * @param durable what it accepted survives its own crash
 * @param redelivers what a subscriber had not settled comes again when that subscriber dies
 * @param delaysNatively the broker itself can hold a message back for a time
 * @param reportsUnroutable an event that no queue would get is told from one that was taken
 * @param maxMessageBytes the largest payload it takes
 * @param nativeDedupWindow how long the broker itself drops a repeated id; zero if it does not
 */
public record Capabilities(
        boolean ordered,
        boolean durable,
        boolean redelivers,
        boolean delaysNatively,
        boolean reportsUnroutable,
        long maxMessageBytes,
        Duration nativeDedupWindow) {}
