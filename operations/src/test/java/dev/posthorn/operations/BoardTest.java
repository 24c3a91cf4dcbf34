package dev.posthorn.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nothing that is not known is shown as a number. */
class BoardTest {

    private final ManualClock clock = new ManualClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Board board = new Board(registry, clock);

    @Test
    void itShowsTheLastLookAndNothingElse() {
        board.show(List.of(Metric.BACKLOG.of(3, "orders"), Metric.BACKLOG.of(5, "audit")));

        board.show(List.of(Metric.BACKLOG.of(4, "orders")));

        assertThat(backlog()).containsExactly(4.0);
        assertThat(value("posthorn_database_up")).isEqualTo(1);
    }

    @Test
    void beforeTheFirstLookNothingIsKnown() {
        assertThat(backlog()).isEmpty();
        assertThat(value("posthorn_database_up")).isZero();
        assertThat(value("posthorn_figures_age_seconds")).isNaN();
    }

    @Test
    void afterALookThatFailedThereIsNoFigureAndItsAgeGrows() {
        board.show(List.of(Metric.BACKLOG.of(6_012, "orders")));
        clock.now = clock.now.plusSeconds(2);

        board.lose();

        assertThat(backlog()).isEmpty();
        assertThat(value("posthorn_database_up")).isZero();
        assertThat(value("posthorn_figures_age_seconds")).isEqualTo(2);
    }

    @Test
    void whileALookIsNotAnsweredTheFiguresOfTheLastAreNoLongerTakenForTrue() {
        board.show(List.of(Metric.BACKLOG.of(6_012, "orders")));
        board.ask();
        assertThat(backlog()).containsExactly(6_012.0);

        clock.now = clock.now.plus(Look.ANSWER).plusMillis(1);

        assertThat(backlog()).containsExactly(Double.NaN);
        assertThat(value("posthorn_database_up")).isZero();
    }

    @Test
    void aLookThatIsAnsweredAtLastIsShown() {
        board.ask();
        clock.now = clock.now.plusSeconds(20);

        board.show(List.of(Metric.BACKLOG.of(7, "orders")));

        assertThat(backlog()).containsExactly(7.0);
        assertThat(value("posthorn_figures_age_seconds")).isZero();
    }

    private List<Double> backlog() {
        return registry.find(Metric.BACKLOG.text()).gauges().stream()
                .map(gauge -> gauge.value())
                .toList();
    }

    private double value(String name) {
        return registry.get(name).gauge().value();
    }
}
