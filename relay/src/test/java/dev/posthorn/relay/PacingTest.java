package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PacingTest {

    private static final long START = -5_000_000_000L;

    private final Pacing pacing = new Pacing(Duration.ofMillis(500), START);

    @Test
    void looksAgainAtOnceAfterAFullPage() {
        assertThat(pacing.after(512, 512, START)).isZero();
    }

    @Test
    void looksAgainAfterMillisecondsWhileEventsCome() {
        assertThat(pacing.after(3, 512, START)).isEqualTo(Duration.ofMillis(2));
    }

    @Test
    void staysQuickForTwoSecondsAfterTheLastEvent() {
        pacing.after(3, 512, START);
        assertThat(pacing.after(0, 512, START + millis(1_999))).isEqualTo(Duration.ofMillis(4));
    }

    @Test
    void slowsDownStepByStepWhenNothingComes() {
        Duration before = pacing.after(0, 512, START);
        for (int look = 0; look < 50; look++) {
            Duration next = pacing.after(0, 512, START + millis(look));
            assertThat(next).isGreaterThanOrEqualTo(before).isLessThanOrEqualTo(Duration.ofMillis(500));
            before = next;
        }
        assertThat(before).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void isQuickAgainWithTheFirstEvent() {
        for (int look = 0; look < 50; look++) {
            pacing.after(0, 512, START);
        }
        assertThat(pacing.after(1, 512, START)).isEqualTo(Duration.ofMillis(2));
    }

    @Test
    void neverWaitsLongerThanTheIdlePollEvenWhileBusy() {
        Pacing quick = new Pacing(Duration.ofMillis(1), START);
        quick.after(1, 512, START);
        assertThat(quick.after(0, 512, START)).isEqualTo(Duration.ofMillis(1));
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
