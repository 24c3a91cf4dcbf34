package dev.posthorn.claimcheck;

import java.time.Instant;

/**
 * Something that a store keeps.
 *
 * @param writtenAt when it was put for the last time, by the store's clock
 */
public record StoredPayload(PayloadKey key, long length, Instant writtenAt) {}
