package dev.posthorn.transports.redisstreams;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One stream of a subscriber, as one member sees it. Changed by the member's own thread, except for what is known: answers
 * take entries out.
 */
final class Shard {

    enum Phase {
        /** Somebody else's, or nobody's. */
        FOREIGN,
        /** Ours; what is pending comes first, because it is older than what is new. */
        RECOVERING,
        READING,
        /** Ours until everything at hand is settled. */
        RELEASING
    }

    final String stream;
    final String group;
    final String domain;
    final String lease;

    Phase phase = Phase.FOREIGN;
    /** Where taking over goes on; {@code -} for the beginning. */
    String recoverFrom = "-";
    /** Nothing up to here is new to the group. */
    String lastId = "0-0";

    long releasingSince;
    /** Read and not offered yet. */
    final Deque<RedisArrival> stash = new ArrayDeque<>();
    /** Everything that was read and is not acknowledged at Redis, by id. */
    final Map<String, RedisArrival> known = new ConcurrentHashMap<>();

    private volatile boolean held;
    private volatile long validUntil;

    Shard(String stream, String group, String domain, String lease) {
        this.stream = stream;
        this.group = group;
        this.domain = domain;
        this.lease = lease;
    }

    void hold(long until) {
        validUntil = until;
        held = true;
    }

    /** Whether the lease is still ours for certain. Any thread may ask. */
    boolean isHeld() {
        return held && System.nanoTime() - validUntil < 0;
    }

    boolean isOurs() {
        return phase != Phase.FOREIGN;
    }

    void recover() {
        phase = Phase.RECOVERING;
        recoverFrom = "-";
    }

    void lose() {
        held = false;
        phase = Phase.FOREIGN;
        stash.clear();
        known.clear();
    }

    @Override
    public String toString() {
        return stream;
    }
}
