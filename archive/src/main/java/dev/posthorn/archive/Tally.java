package dev.posthorn.archive;

import java.security.MessageDigest;
import java.time.Instant;

/** Counts events as they are written or read, and the compressed bytes that carry them. Not thread-safe. */
final class Tally {

    private final MessageDigest sha256 = Sha256.begin();
    private long bytes;
    private long events;
    private long firstSeq = Long.MAX_VALUE;
    private long lastSeq;
    private Instant firstCreatedAt = Instant.MAX;
    private Instant lastCreatedAt = Instant.MIN;

    void bytes(byte[] compressed, int offset, int length) {
        sha256.update(compressed, offset, length);
        bytes += length;
    }

    void event(long seq, Instant createdAt) {
        events++;
        firstSeq = Math.min(firstSeq, seq);
        lastSeq = Math.max(lastSeq, seq);
        firstCreatedAt = createdAt.isBefore(firstCreatedAt) ? createdAt : firstCreatedAt;
        lastCreatedAt = createdAt.isAfter(lastCreatedAt) ? createdAt : lastCreatedAt;
    }

    long events() {
        return events;
    }

    /** Ends it: the checksum can be asked for once. */
    Manifest manifest() {
        String digest = Sha256.end(sha256);
        return new Manifest(digest, bytes, events, firstSeq, lastSeq, firstCreatedAt, lastCreatedAt);
    }
}
