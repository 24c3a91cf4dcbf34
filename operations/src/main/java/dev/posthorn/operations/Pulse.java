package dev.posthorn.operations;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What became of a relay's publishing, as its ports saw it. Thread-safe. */
public final class Pulse {

    private final Clock clock;
    private volatile @Nullable Instant published;
    private volatile @Nullable String error;
    private volatile @Nullable Instant errorAt;

    Pulse(Clock clock) {
        this.clock = clock;
    }

    void published() {
        published = clock.instant();
    }

    void failed(String why) {
        error = why;
        errorAt = clock.instant();
    }

    /** When the destination last accepted an event. */
    public Optional<Instant> lastPublish() {
        return Optional.ofNullable(published);
    }

    /** What went wrong last, however long ago. */
    public Optional<String> lastError() {
        return Optional.ofNullable(error);
    }

    public Optional<Instant> lastErrorAt() {
        return Optional.ofNullable(errorAt);
    }
}
