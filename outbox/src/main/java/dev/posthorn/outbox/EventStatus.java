package dev.posthorn.outbox;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What became of one event on one route.
 *
 * @param attempts how often it was tried, the one that went through included
 * @param publishedAt when its confirmation was recorded, if SENT
 * @param nextAttempt when it is tried next, if a time is set
 * @param lastError why it did not go through, cut to 1,024 characters
 */
public record EventStatus(
        UUID id,
        String route,
        EventState state,
        int attempts,
        @Nullable Instant publishedAt,
        @Nullable Instant nextAttempt,
        @Nullable String lastError) {}
