package dev.posthorn.claimcheck;

/**
 * When payloads are kept elsewhere, and how they are fetched.
 *
 * @param threshold larger payloads are kept elsewhere; by default 128 KiB. Too low: a call to the store for what the broker
 *     carries easily. Too high: a large log, and messages that some broker refuses
 * @param maxPayloadBytes the largest payload that is taken or fetched; by default 64 MiB. Too low: events are refused. Too
 *     high: what a handler needs of memory, times the handlers at work
 * @param cacheBytes how much of what was fetched is remembered; by default 64 MiB, 0 for none. Too low: several handlers of
 *     one event fetch it several times. Too high: memory
 */
public record ClaimCheckConfig(int threshold, int maxPayloadBytes, long cacheBytes) {

    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    public static final ClaimCheckConfig DEFAULT = new ClaimCheckConfig(128 * KIB, 64 * MIB, 64L * MIB);

    public ClaimCheckConfig {
        if (threshold < KIB) {
            throw new IllegalArgumentException("threshold is " + threshold
                    + ", but must be at least 1024: a reference is hardly smaller than what it would stand for");
        }
        if (maxPayloadBytes < threshold) {
            throw new IllegalArgumentException("maxPayloadBytes is " + maxPayloadBytes
                    + ", but must not be less than the threshold, " + threshold);
        }
        if (cacheBytes < 0) {
            throw new IllegalArgumentException("cacheBytes is " + cacheBytes + ", but must not be negative");
        }
    }

    public ClaimCheckConfig withThreshold(int threshold) {
        return new ClaimCheckConfig(threshold, maxPayloadBytes, cacheBytes);
    }

    public ClaimCheckConfig withMaxPayloadBytes(int maxPayloadBytes) {
        return new ClaimCheckConfig(threshold, maxPayloadBytes, cacheBytes);
    }

    public ClaimCheckConfig withCacheBytes(long cacheBytes) {
        return new ClaimCheckConfig(threshold, maxPayloadBytes, cacheBytes);
    }
}
