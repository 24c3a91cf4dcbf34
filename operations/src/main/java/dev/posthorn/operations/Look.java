package dev.posthorn.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What the last look at the database found that health depends on.
 *
 * @param at when it was, by the clock of this host
 * @param trouble why the database or its schema is of no use, if so
 * @param standing by route, how long a lane has not moved though events wait in it
 * @param consumerLag by consumer
 */
public record Look(
        Instant at, Optional<String> trouble, Map<String, Duration> standing, Map<String, Duration> consumerLag) {

    public Look {
        standing = Map.copyOf(standing);
        consumerLag = Map.copyOf(consumerLag);
    }

    /** There was no answer. */
    public static Look failed(Instant at, String trouble) {
        return new Look(at, Optional.of(trouble), Map.of(), Map.of());
    }
}
