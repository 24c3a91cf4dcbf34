package dev.posthorn.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Map;
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
 * @param registration what other members shall know of it
 */
public record ConsumerReport(
        String consumer,
        String member,
        Totals totals,
        Lag lag,
        Duration handlerP99,
        Optional<String> trouble,
        Registration registration) {

    /**
     * Running totals of events: handled, skipped as handled before, tried again, given up, left to another member, and wanted by
     * no handler.
     */
    public record Totals(long handled, long skipped, long retried, long dead, long handedOver, long unhandled) {}

    /**
     * The member's handlers.
     *
     * @param handlers what it has
     * @param known the digest of all members' handlers that it knows, see {@link OtherMembers#digest}
     * @param every how often it reports
     * @param unhandled how many events of each type no handler wanted since the last report that was stored
     */
    public record Registration(
            List<RegisteredHandler> handlers, String known, Duration every, Map<String, Long> unhandled) {

        /** No handler. */
        public static final Registration NONE = new Registration(List.of(), "", Duration.ofSeconds(1), Map.of());
    }

    /** Zero if nothing was handled yet. */
    public record Lag(Duration p50, Duration p99) {}
}
