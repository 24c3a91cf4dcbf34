package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MetersTest {

    @Test
    void percentilesAreWithinThreePercent() {
        Histogram histogram = new Histogram();
        for (int i = 1; i <= 100_000; i++) {
            histogram.record(TimeUnit.MICROSECONDS.toNanos(i));
        }

        assertThat(histogram.percentile(0.5)).isCloseTo(50, within(1.6));
        assertThat(histogram.percentile(0.99)).isCloseTo(99, within(3.1));
    }

    @Test
    void anEmptyHistogramSaysZero() {
        assertThat(new Histogram().percentile(0.99)).isZero();
    }

    @Test
    void onlyTheFirstArrivalIsMeasured() {
        LagMeter lag = new LagMeter();
        UUID event = UUID.randomUUID();
        lag.commitSent(event);

        lag.arrived(event);
        lag.arrived(event);

        assertThat(lag.underWay()).isZero();
        assertThat(lag.overall()).isEqualTo(lag.lately());
    }

    @Test
    void aGoalInEventsIsReachedExactlyWhateverRollsBack() {
        Goal goal = new Goal(4L, null);

        assertThat(goal.reserve(2)).isTrue();
        assertThat(goal.reserve(2)).isTrue();
        assertThat(goal.reserve(2)).isFalse();
        goal.giveBack(2);

        assertThat(goal.reserve(2)).isTrue();
        assertThat(goal.reserve(2)).isFalse();
    }

    @Test
    void aStoppedGoalWantsNothingMore() {
        Goal goal = new Goal(null, Duration.ofHours(1));

        goal.stop();

        assertThat(goal.reserve(2)).isFalse();
    }

    @Test
    void aRateLooksBackTwoSeconds() {
        Rate rate = new Rate();
        long second = TimeUnit.SECONDS.toNanos(1);

        rate.at(0, 0);
        rate.at(second, 1_000);
        rate.at(2 * second, 1_000);

        assertThat(rate.at(3 * second, 5_000)).isEqualTo(2_000);
    }
}
