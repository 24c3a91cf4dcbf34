package dev.posthorn.inbox;

import java.time.Duration;
import java.util.Optional;

/**
 * How a member of a consumer is.
 *
 * @param consumer the consumer's name
 * @param member the process
 * @param totals what it has done since it began
 * @param lag from the event's emit to its handling, of the latest events
 * @param handlerP99 how long all but the slowest hundredth of handlings took
 * @param trouble why it does not get on; empty if it does
 */
public record ConsumerReport(
        String consumer, String member, Totals totals, Lag lag, Duration handlerP99, Optional<String> trouble) {

    /** Running totals of events: handled, skipped as handled before, tried again, given up. */
    public record Totals(long handled, long skipped, long retried, long dead) {}

    /** Zero if nothing was handled yet. */
    public record Lag(Duration p50, Duration p99) {}
}
