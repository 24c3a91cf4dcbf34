package dev.posthorn.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.posthorn.claimcheck.PayloadKey;
import dev.posthorn.claimcheck.PayloadStore;
import dev.posthorn.claimcheck.PayloadStoreException;
import dev.posthorn.claimcheck.StoredPayload;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every store of payloads must do. A test of one says how to open it, and how to reach none. */
public abstract class PayloadStoreContract {

    private static final Duration SKEW = Duration.ofMinutes(10);
    private static final int LARGE = 20 * 1024 * 1024;
    private static final int READERS = 3;

    private final Random random = new Random();

    /** One that works, the same for all calls in a test. */
    protected abstract PayloadStore store();

    /** One that can not be reached. */
    protected abstract PayloadStore unreachable();

    /** Puts something that is no payload beside the payloads, if there is a place for it. */
    protected abstract void putStranger();

    private byte[] content(int length) {
        byte[] content = new byte[length];
        random.nextBytes(content);
        return content;
    }

    private PayloadKey put(byte[] content) {
        PayloadKey key = PayloadKey.of(content);
        store().put(key, ByteBuffer.wrap(content).asReadOnlyBuffer());
        return key;
    }

    private List<StoredPayload> all() {
        List<StoredPayload> all = new ArrayList<>();
        store().each(all::add);
        return all;
    }

    @Test
    void whatWasPutComesBackToTheByte() {
        byte[] content = content(100_000);

        PayloadKey key = put(content);

        assertThat(store().get(key, content.length))
                .hasValueSatisfying(got -> assertThat(got).isEqualTo(content));
    }

    @Test
    void twentyMegabytesComeBackToTheByte() {
        byte[] content = content(LARGE);

        PayloadKey key = put(content);

        assertThat(store().get(key, LARGE))
                .hasValueSatisfying(got -> assertThat(got).isEqualTo(content));
    }

    @Test
    void anEmptyPayloadIsOneToo() {
        PayloadKey key = put(new byte[0]);

        assertThat(store().get(key, 0))
                .hasValueSatisfying(got -> assertThat(got).isEmpty());
    }

    @Test
    void whatIsNotThereIsEmpty() {
        assertThat(store().get(PayloadKey.of(content(10)), 10)).isEmpty();
    }

    @Test
    void noMoreThanAskedForAndOneByteIsRead() {
        PayloadKey key = put(content(100_000));

        assertThat(store().get(key, 1_000))
                .hasValueSatisfying(got -> assertThat(got).hasSize(1_001));
    }

    @Test
    void whatIsPutAgainReplacesWhatWasDamaged() {
        byte[] content = content(5_000);
        PayloadKey key = PayloadKey.of(content);
        store().put(key, ByteBuffer.wrap(content(7_000)));

        put(content);

        assertThat(store().get(key, 7_000))
                .hasValueSatisfying(got -> assertThat(got).isEqualTo(content));
    }

    @Test
    void onlyWhatRemainsOfABufferIsPutAndTheBufferStaysAsItWas() {
        byte[] content = content(3_000);
        ByteBuffer whole =
                ByteBuffer.allocate(4_000).put(500, content).position(500).limit(3_500);

        store().put(PayloadKey.of(content), whole);

        assertThat(store().get(PayloadKey.of(content), 3_000))
                .hasValueSatisfying(got -> assertThat(got).isEqualTo(content));
        assertThat(whole.remaining()).isEqualTo(3_000);
    }

    @Test
    void everythingIsShownAndNothingElse() {
        PayloadKey one = put(content(10));
        PayloadKey another = put(content(200));
        putStranger();

        List<StoredPayload> all = all();

        assertThat(all)
                .extracting(StoredPayload::key, StoredPayload::length)
                .contains(tuple(one, 10L), tuple(another, 200L));
        assertThat(all)
                .allSatisfy(stored -> assertThat(stored.writtenAt())
                        .isBetween(Instant.now().minus(SKEW), Instant.now().plus(SKEW)));
    }

    @Test
    void whatIsOldEnoughIsRemoved() {
        byte[] content = content(10);
        PayloadKey key = put(content);

        boolean removed = store().remove(key, Instant.now().plus(SKEW));

        assertThat(removed).isTrue();
        assertThat(store().get(key, 10)).isEmpty();
        assertThat(all()).extracting(StoredPayload::key).doesNotContain(key);
    }

    @Test
    void whatIsNewStays() {
        PayloadKey key = put(content(10));

        boolean removed = store().remove(key, Instant.now().minus(SKEW));

        assertThat(removed).isFalse();
        assertThat(store().get(key, 10)).isPresent();
    }

    @Test
    void whatIsNotThereCountsAsRemoved() {
        assertThat(store().remove(PayloadKey.of(content(10)), Instant.now())).isTrue();
    }

    @Test
    void manyPutTheSameAtOnce() throws Exception {
        byte[] content = content(300_000);
        CountDownLatch together = new CountDownLatch(READERS);
        ExecutorService threads = Executors.newFixedThreadPool(READERS);
        List<Future<?>> putting = new ArrayList<>();

        for (int i = 0; i < READERS; i++) {
            putting.add(threads.submit(() -> {
                together.countDown();
                together.await();
                return put(content);
            }));
        }

        for (Future<?> put : putting) {
            put.get();
        }
        threads.shutdown();
        assertThat(store().get(PayloadKey.of(content), content.length))
                .hasValueSatisfying(got -> assertThat(got).isEqualTo(content));
    }

    @Test
    void aStoreOutOfReachSaysSo() {
        PayloadKey key = PayloadKey.of(content(10));
        try (PayloadStore store = unreachable()) {
            assertThatThrownBy(() -> store.put(key, ByteBuffer.allocate(10))).isInstanceOf(PayloadStoreException.class);
            assertThatThrownBy(() -> store.get(key, 10)).isInstanceOf(PayloadStoreException.class);
            assertThatThrownBy(() -> store.each(stored -> {})).isInstanceOf(PayloadStoreException.class);
            assertThatThrownBy(() -> store.remove(key, Instant.now())).isInstanceOf(PayloadStoreException.class);
        }
    }
}
