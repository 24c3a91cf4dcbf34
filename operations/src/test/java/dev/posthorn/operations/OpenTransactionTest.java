package dev.posthorn.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.postgres.PostgresFigures.ServerFigures;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class OpenTransactionTest {

    private final OpenTransaction open = new OpenTransaction();
    private final Instant start = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void oneTransactionThatStaysTheOldestAges() {
        assertThat(at(0, 700, 3)).isZero();
        assertThat(at(60, 700, 90)).isEqualTo(Duration.ofMinutes(1));
        assertThat(at(400, 700, 900)).isEqualTo(Duration.ofSeconds(400));
    }

    @Test
    void transactionsThatEndMakeNoAge() {
        at(0, 700, 3);

        assertThat(at(60, 750, 2)).isZero();
        assertThat(at(120, 800, 0)).isZero();
        assertThat(at(180, 800, 1)).as("the next one, which had not begun").isZero();
        assertThat(at(190, 800, 1)).isEqualTo(Duration.ofSeconds(10));
    }

    private Duration at(int second, long xmin, long age) {
        return open.seen(new ServerFigures(xmin, age, false), start.plusSeconds(second));
    }
}
