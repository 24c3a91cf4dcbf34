package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class NanosTest {

    @Test
    void zeroIsAtOnceAlsoOnAClockThatBeganBelowZero() {
        assertThat(Nanos.reached(0, -5_000_000_000L)).isTrue();
        assertThat(Nanos.until(0, -5_000_000_000L)).isZero();
    }

    @Test
    void aTimeIsReachedWhenTheClockStandsThere() {
        assertThat(Nanos.reached(-10, -11)).isFalse();
        assertThat(Nanos.reached(-10, -10)).isTrue();
    }

    @Test
    void whatIsPastIsNotWaitedFor() {
        assertThat(Nanos.until(-10, -4)).isZero();
        assertThat(Nanos.until(-4, -10)).isEqualTo(Duration.ofNanos(6));
    }

    @Test
    void theClockMayRunOver() {
        assertThat(Nanos.reached(Long.MIN_VALUE + 5, Long.MAX_VALUE)).isFalse();
        assertThat(Nanos.until(Long.MIN_VALUE + 5, Long.MAX_VALUE)).isEqualTo(Duration.ofNanos(6));
    }
}
