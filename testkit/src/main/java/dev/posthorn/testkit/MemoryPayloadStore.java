package dev.posthorn.testkit;

import dev.posthorn.claimcheck.PayloadKey;
import dev.posthorn.claimcheck.PayloadStore;
import dev.posthorn.claimcheck.PayloadStoreException;
import dev.posthorn.claimcheck.StoredPayload;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A store of payloads in memory, that a test can break, look into and tamper with. Thread-safe. */
public final class MemoryPayloadStore implements PayloadStore {

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Kept(byte[] content, Instant writtenAt) {}

    private final Map<PayloadKey, Kept> kept = new ConcurrentHashMap<>();
    private final AtomicLong fetches = new AtomicLong();
    private final AtomicLong puts = new AtomicLong();
    private final Clock clock;
    private volatile boolean broken;

    public MemoryPayloadStore(Clock clock) {
        this.clock = clock;
    }

    public MemoryPayloadStore() {
        this(Clock.systemUTC());
    }

    /** From now on nothing works, or again everything. */
    public void broken(boolean broken) {
        this.broken = broken;
    }

    /** How often something was asked for. */
    public long fetches() {
        return fetches.get();
    }

    /** How often something was put. */
    public long puts() {
        return puts.get();
    }

    public boolean has(PayloadKey key) {
        return kept.containsKey(key);
    }

    public int size() {
        return kept.size();
    }

    /** Has other bytes under this key. */
    public void tamper(PayloadKey key, byte[] content) {
        kept.put(key, new Kept(content.clone(), clock.instant()));
    }

    /** Has nothing under this key any more. */
    public void lose(PayloadKey key) {
        kept.remove(key);
    }

    @Override
    public void put(PayloadKey key, ByteBuffer content) {
        requireWhole();
        puts.incrementAndGet();
        byte[] bytes = new byte[content.remaining()];
        content.duplicate().get(bytes);
        kept.put(key, new Kept(bytes, clock.instant()));
    }

    @Override
    public Optional<byte[]> get(PayloadKey key, long atMost) {
        requireWhole();
        fetches.incrementAndGet();
        return Optional.ofNullable(kept.get(key))
                .map(found -> Arrays.copyOf(found.content(), (int) Math.min(found.content().length, atMost + 1)));
    }

    @Override
    public void each(Consumer<StoredPayload> visitor) {
        requireWhole();
        kept.forEach((key, found) -> visitor.accept(new StoredPayload(key, found.content().length, found.writtenAt())));
    }

    @Override
    public boolean remove(PayloadKey key, Instant writtenBefore) {
        requireWhole();
        return kept.computeIfPresent(key, (same, found) -> found.writtenAt().isBefore(writtenBefore) ? null : found)
                == null;
    }

    private void requireWhole() {
        if (broken) {
            throw new PayloadStoreException("The store in memory is broken, as the test wants it.", null);
        }
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
        return "the store in memory";
    }
}
