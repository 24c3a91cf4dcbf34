package dev.posthorn.relay;

import java.time.Duration;

/** The simulated time: one for the database, and the same with another origin for every relay. */
final class Clockwork {

    private long now = Duration.ofSeconds(1_000).toNanos();

    long now() {
        return now;
    }

    void passMillis(long millis) {
        now += Duration.ofMillis(millis).toNanos();
    }
}
