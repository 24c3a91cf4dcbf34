package dev.posthorn.operations;

import dev.posthorn.postgres.PostgresFigures.ServerFigures;
import java.time.Duration;
import java.time.Instant;

/**
 * Measures for how long the oldest transaction has been open that has written. Its events wait for its end.
 *
 * <p>The server shows the age of a transaction to its own login and to monitoring roles only. A relay's role sees which one is
 * the oldest, so the time since it was first seen as such is measured. Not thread-safe.
 */
final class OpenTransaction {

    private long oldest = -1;
    private Instant since = Instant.MIN;

    /** Returns for how long the oldest open transaction has been seen; nothing if none is open. */
    Duration seen(ServerFigures server, Instant now) {
        if (server.xminAge() == 0) {
            oldest = -1;
            return Duration.ZERO;
        }
        if (server.xmin() != oldest) {
            oldest = server.xmin();
            since = now;
        }
        return Duration.between(since, now);
    }
}
