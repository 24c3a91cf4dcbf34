package dev.posthorn.transport;

import java.time.Duration;

/**
 * What a transport can do, as data; the contract tests and the README's table are read from it.
 *
 * @param maxMessageBytes the largest payload it takes
 * @param nativeDedupWindow how long the broker itself drops a repeated id; zero if it does not
 */
public record Capabilities(
        boolean ordered,
        boolean durable,
        boolean redelivers,
        boolean delaysNatively,
        long maxMessageBytes,
        Duration nativeDedupWindow) {}
