package dev.posthorn.replay;

import dev.posthorn.replay.ReplayStore.PageLimit;
import dev.posthorn.transport.RetryPolicy;
import java.time.Duration;

/**
 * How replays are published.
 *
 * @param page how much is read at once, and published again after a crash. Too high: memory, and more duplicates. Too low:
 *     a checkpoint for few events.
 * @param ttl how long a silent process keeps its replay. Too low: a pause costs duplicates. Too high: after a crash the
 *     replay stands still for that long.
 * @param retry when an event that failed is published again. After its last attempt the replay is FAILED.
 * @param idle how long to wait before looking for a new replay
 */
public record ReplayConfig(PageLimit page, Duration ttl, RetryPolicy retry, Duration idle) {

    private static final long MEBIBYTES_16 = 16L << 20;

    public ReplayConfig {
        if (page.events() < 1) {
            throw new IllegalArgumentException("A page of " + page.events() + " events: it must have at least 1.");
        }
    }

    /** Pages of 500 events, a claim of 15 s, 8 attempts with pauses from 1 s to 30 s. */
    public static ReplayConfig standard() {
        return new ReplayConfig(
                new PageLimit(500, MEBIBYTES_16),
                Duration.ofSeconds(15),
                RetryPolicy.exponential(8, Duration.ofMillis(500), Duration.ofSeconds(30), 0.2),
                Duration.ofSeconds(1));
    }

    public ReplayConfig withPage(int events) {
        return new ReplayConfig(new PageLimit(events, page.bytes()), ttl, retry, idle);
    }

    public ReplayConfig withTtl(Duration chosen) {
        return new ReplayConfig(page, chosen, retry, idle);
    }

    public ReplayConfig withRetry(RetryPolicy chosen) {
        return new ReplayConfig(page, ttl, chosen, idle);
    }
}
