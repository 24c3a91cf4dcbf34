package dev.posthorn.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class PaceTest {

    private static final long MILLI = Duration.ofMillis(1).toNanos();

    @Test
    void withoutARateEverythingMayGo() {
        Pace pace = new Pace(OptionalInt.empty(), 0);
        assertThat(pace.permits(1_000, 0)).isEqualTo(1_000);
        pace.went(1_000, 0);
        assertThat(pace.permits(1_000, 0)).isEqualTo(1_000);
    }

    @Test
    void theNextOneWaitsForItsTime() {
        Pace pace = new Pace(OptionalInt.of(10), 0);
        assertThat(pace.permits(5, 0)).isEqualTo(1);
        pace.went(1, 0);
        assertThat(pace.permits(5, 99 * MILLI)).isZero();
        assertThat(pace.untilNext(60 * MILLI)).isEqualTo(Duration.ofMillis(40));
        assertThat(pace.permits(5, 100 * MILLI)).isEqualTo(1);
    }

    @Test
    void aLongPauseIsNotMadeUpForByABurst() {
        Pace pace = new Pace(OptionalInt.of(100), 0);
        assertThat(pace.permits(1_000, 60_000 * MILLI)).isEqualTo(11);
        pace.went(11, 60_000 * MILLI);
        assertThat(pace.permits(1_000, 60_000 * MILLI)).isZero();
    }

    @Test
    void overAMinuteItIsTheRateWhateverTheTurns() {
        Pace pace = new Pace(OptionalInt.of(700), -5);
        int gone = 0;
        for (long now = -5; now < 60_000 * MILLI; now += 7 * MILLI) {
            int permitted = pace.permits(1_000, now);
            pace.went(permitted, now);
            gone += permitted;
        }
        assertThat(gone).isBetween(41_900, 42_100);
    }
}
