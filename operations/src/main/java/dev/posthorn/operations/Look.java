package dev.posthorn.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the last look at the database found that health depends on.
 *
 * @param at when it was, by the clock of this host
 * @param trouble why the database or its schema is of no use, if so
 * @param standing by route and lane, how long the lane has not moved though events wait in it
 * @param consumerLag by consumer
 */
public record Look(
        Instant at,
        Optional<String> trouble,
        Map<String, Map<Integer, Duration>> standing,
        Map<String, Duration> consumerLag) {

    /** How long an answer may take; then what was known before is no longer taken for what is. */
    public static final Duration ANSWER = Duration.ofMillis(2_500);

    public Look {
        standing = Map.copyOf(standing);
        consumerLag = Map.copyOf(consumerLag);
    }

    /** There was no answer. */
    public static Look failed(Instant at, String trouble) {
        return new Look(at, Optional.of(trouble), Map.of(), Map.of());
    }

    /** Whether a look that began then should have been answered by now; null: none is under way. */
    public static boolean isOverdue(@Nullable Instant began, Instant now) {
        return began != null && Duration.between(began, now).compareTo(ANSWER) > 0;
    }
}
