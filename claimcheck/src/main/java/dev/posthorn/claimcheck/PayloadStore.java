package dev.posthorn.claimcheck;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keeps payloads by their {@link PayloadKey}.
 *
 * <p>Every method throws {@link PayloadStoreException} if the store can not be reached, refuses or takes too long; an end to
 * waiting is the store's own. Thread-safe.
 *
 * <p>Not guaranteed: that what comes back is what was put. Whoever fetches compares it with the key.
 */
public interface PayloadStore extends AutoCloseable {

    /**
     * Keeps these bytes; once this has returned, they are durable and every reader finds them. Writes also if there is
     * something under the key, which mends what was damaged and makes it new. A reader sees all of them or what was there
     * before, never a part.
     */
    void put(PayloadKey key, ByteBuffer content);

    /** What is kept under the key, of which no more than {@code atMost} bytes and one are read; empty if nothing is. */
    Optional<byte[]> get(PayloadKey key, long atMost);

    /** Shows everything that is kept, in any order. What was put or removed meanwhile may be shown or not. */
    void each(Consumer<StoredPayload> visitor);

    /**
     * Removes what is kept under the key if it was written before this time. What is not there counts as removed.
     *
     * @return false if it is newer, and so was left
     */
    boolean remove(PayloadKey key, Instant writtenBefore);

    @Override
    void close();
}
