package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BreakerTest {

    private static final long START = -1_000_000_000L;

    private final Breaker breaker = new Breaker();

    @Test
    void isClosedAtFirstAndLetsNoProbeThroughThen() {
        assertThat(breaker.isOpen()).isFalse();
        assertThat(breaker.wantsProbe()).isFalse();
        assertThat(breaker.reason()).isNull();
        assertThat(breaker.mayProbe(START)).isFalse();
    }

    @Test
    void saysWhyItIsOpen() {
        breaker.open("connection refused", START);
        assertThat(breaker.isOpen()).isTrue();
        assertThat(breaker.reason()).isEqualTo("connection refused");
    }

    @Test
    void letsOneProbeThroughAfterATenthOfASecond() {
        breaker.open("down", START);
        assertThat(breaker.mayProbe(START + millis(99))).isFalse();
        assertThat(breaker.mayProbe(START + millis(100))).isTrue();
        breaker.probing("probe");
        assertThat(breaker.mayProbe(START + millis(100))).isFalse();
        assertThat(breaker.wantsProbe()).isFalse();
    }

    @Test
    void waitsTwiceAsLongAfterEveryProbeThatFailsButNoMoreThanTenSeconds() {
        long now = START;
        breaker.open("down", now);
        long pause = 100;
        for (int probe = 0; probe < 50; probe++) {
            assertThat(breaker.probeAt()).isEqualTo(now + millis(pause));
            now = breaker.probeAt();
            assertThat(breaker.mayProbe(now)).isTrue();
            breaker.probing("probe");
            breaker.probeFailed("still down", now);
            pause = Math.min(2 * pause, 10_000);
        }
    }

    @Test
    void isNotPutOffByWhatWasInFlightWhenItOpened() {
        breaker.open("down", START);
        breaker.open("down", START + millis(50));
        breaker.open("down", START + millis(90));
        assertThat(breaker.probeAt()).isEqualTo(START + millis(100));
        breaker.probing("probe");
        breaker.open("down", START + millis(150));
        breaker.landed("another");
        assertThat(breaker.wantsProbe()).as("the probe is still under way").isFalse();
    }

    @Test
    void beginsWithAShortPauseAgainAfterItWasClosed() {
        breaker.open("down", START);
        breaker.probing("probe");
        breaker.probeFailed("down", START + millis(100));
        breaker.close();
        breaker.open("down again", START + millis(5_000));
        assertThat(breaker.probeAt()).isEqualTo(START + millis(5_100));
    }

    @Test
    void triesAgainSoonIfTheProbeCouldNotBeSentButNotAtOnce() {
        breaker.open("down", START);
        breaker.postponeProbe(START + millis(100));
        assertThat(breaker.wantsProbe()).isTrue();
        assertThat(breaker.mayProbe(START + millis(100))).isFalse();
        assertThat(breaker.mayProbe(START + millis(200))).isTrue();
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
