package dev.posthorn.postgres;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Something that is dead, without its payload.
 *
 * @param letter its id among all that is dead; on a route that is the event's
 * @param held whether its key waits for a decision about it
 * @param at when it died
 */
public record DeadEntry(UUID letter, Where where, What what, Why why, boolean held, Instant at) {

    /** A route has no handler: it is empty there. */
    public record Where(Station station, String name, String handler) {}

    /** Where things die. */
    public enum Station {
        ROUTE,
        CONSUMER
    }

    /** Empty as far as it was undecodable, or is no longer in the log. */
    public record What(
            Optional<UUID> event,
            Optional<String> domain,
            Optional<String> type,
            Optional<String> key,
            Optional<String> tenant) {}

    /**
     * Why it died.
     *
     * @param fingerprint the reason without ids and numbers
     * @param remedy what to do about it
     */
    public record Why(String cause, String reason, String fingerprint, String remedy, int attempts) {}
}
