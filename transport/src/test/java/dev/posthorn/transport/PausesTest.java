package dev.posthorn.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PausesTest {

    private static final Duration FIRST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofMinutes(3);

    @Test
    void eachPauseIsTwiceAsLongUpToTheLongest() {
        Pauses pauses = Pauses.of(FIRST, LONGEST);

        assertThat(pauses.failed()).isEqualTo(FIRST);
        assertThat(pauses.failed()).isEqualTo(FIRST.multipliedBy(2));
        assertThat(pauses.failed()).isEqualTo(LONGEST);
        assertThat(pauses.failed()).isEqualTo(LONGEST);
    }

    @Test
    void aSuccessEndsThePauseAndMakesTheNextOneShort() {
        Pauses pauses = Pauses.of(FIRST, LONGEST);
        assertThat(pauses.isOver()).as("before the first failure").isTrue();
        pauses.failed();
        pauses.failed();
        assertThat(pauses.isOver()).isFalse();

        pauses.succeeded();

        assertThat(pauses.isOver()).isTrue();
        assertThat(pauses.failed()).isEqualTo(FIRST);
    }

    @Test
    void callsThatFailTogetherBeginOnePause() {
        Pauses pauses = Pauses.of(FIRST, LONGEST);
        assertThat(pauses.left()).as("before the first failure").isZero();

        pauses.failedTogether();
        pauses.failedTogether();

        assertThat(pauses.left()).isBetween(FIRST.dividedBy(2), FIRST);
        assertThat(pauses.failed()).as("the second pause").isEqualTo(FIRST.multipliedBy(2));
    }

    @Test
    void scatteredOnesAreUpToAFifthShorter() {
        for (int i = 0; i < 1_000; i++) {
            Pauses pauses = Pauses.scattered(FIRST, LONGEST);
            assertThat(pauses.failed()).isBetween(FIRST.multipliedBy(4).dividedBy(5), FIRST);
            assertThat(pauses.failed()).isBetween(FIRST.multipliedBy(8).dividedBy(5), FIRST.multipliedBy(2));
        }
    }
}
