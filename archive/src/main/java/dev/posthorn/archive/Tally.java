package dev.posthorn.archive;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/** Counts events as they are written or read, and the compressed bytes that carry them. Not thread-safe. */
final class Tally {

    private final MessageDigest sha256 = newSha256();
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
        String digest = HexFormat.of().formatHex(sha256.digest());
        return new Manifest(digest, bytes, events, firstSeq, lastSeq, firstCreatedAt, lastCreatedAt);
    }

    private static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
