package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FlushGuardTest {

    private static final long MILLIS = Duration.ofMillis(1).toNanos();

    private final FlushGuard guard = new FlushGuard();
    private long now = 1;

    @Test
    void twoFailuresAreTheTroubleOfAMoment() {
        fail(2);

        assertThat(guard.isStalled()).isFalse();
        assertThat(guard.outage()).isNull();
    }

    @Test
    void theThirdStopsPublishingAndSaysSo() {
        fail(3);

        assertThat(guard.isStalled()).isTrue();
        assertThat(guard.outage())
                .isEqualTo("3 flushes failed in a row, and nothing is published until one succeeds: no 3");
    }

    @Test
    void thePausesGrowToTenSeconds() {
        fail(2);
        for (long pause : new long[] {500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000}) {
            fail(1);
            assertThat(guard.wantsProbe(now + (pause - 1) * MILLIS)).isFalse();
            assertThat(guard.wantsProbe(now + pause * MILLIS)).isTrue();
            now += pause * MILLIS;
        }
    }

    @Test
    void whatFailsDuringAPauseDoesNotMakeItLonger() {
        fail(3);

        fail(20);

        assertThat(guard.wantsProbe(now + 500 * MILLIS)).isTrue();
    }

    @Test
    void aProbeThatGoesThroughLetsItPublishButTheNextFailureStopsItForLonger() {
        fail(3);
        guard.probed();
        assertThat(guard.isStalled()).isFalse();

        fail(1);

        assertThat(guard.isStalled()).isTrue();
        assertThat(guard.wantsProbe(now + 999 * MILLIS)).isFalse();
    }

    @Test
    void aFlushThatGoesThroughEndsIt() {
        fail(3);

        guard.succeeded();

        assertThat(guard.isStalled()).isFalse();
        fail(2);
        assertThat(guard.isStalled()).isFalse();
    }

    private void fail(int times) {
        for (int i = 1; i <= times; i++) {
            guard.failed("no " + i, now);
        }
    }
}
