package dev.posthorn.claimcheck;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PayloadCacheTest {

    private static final PayloadKey ONE = PayloadKey.of(new byte[] {1});
    private static final PayloadKey TWO = PayloadKey.of(new byte[] {2});
    private static final PayloadKey THREE = PayloadKey.of(new byte[] {3});

    private final PayloadCache cache = new PayloadCache(100);

    @Test
    void whatWasNotUsedForLongestGoesFirst() {
        cache.put(ONE, new byte[40]);
        cache.put(TWO, new byte[40]);
        cache.get(ONE);

        cache.put(THREE, new byte[40]);

        assertThat(cache.get(ONE)).isPresent();
        assertThat(cache.get(TWO)).isEmpty();
        assertThat(cache.get(THREE)).isPresent();
    }

    @Test
    void whatIsLargerThanAllOfItIsNotKept() {
        cache.put(ONE, new byte[40]);

        cache.put(TWO, new byte[101]);

        assertThat(cache.get(TWO)).isEmpty();
        assertThat(cache.get(ONE)).isPresent();
    }

    @Test
    void whatIsPutTwiceCountsOnce() {
        cache.put(ONE, new byte[60]);
        cache.put(ONE, new byte[60]);

        cache.put(TWO, new byte[40]);

        assertThat(cache.get(ONE)).isPresent();
        assertThat(cache.get(TWO)).isPresent();
    }
}
