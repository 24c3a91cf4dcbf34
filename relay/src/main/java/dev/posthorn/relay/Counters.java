package dev.posthorn.relay;

/** Running totals of one relay. Written under the relay's lock, read through {@link RelayStatus}. */
final class Counters {

    long published;
    long failedAttempts;
    long dead;
    long flushes;
    long reads;
    long reloads;
    /** Outcomes since the last flush was collected; says when the next one is due. */
    int sinceFlush;

    /** When the next detour is due, as far as this relay knows. */
    long nextDetour = Long.MAX_VALUE;

    void detourDue(long when) {
        nextDetour = Math.min(nextDetour, when);
    }

    void resolved() {
        sinceFlush++;
    }

    void failedAttempt() {
        failedAttempts++;
    }

    void dead() {
        dead++;
        sinceFlush++;
    }
}
