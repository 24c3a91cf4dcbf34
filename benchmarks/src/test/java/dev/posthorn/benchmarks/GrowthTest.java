package dev.posthorn.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class GrowthTest {

    @Test
    void everySizeHasASpeedAndALatency() throws SQLException {
        Growth benchmark = new Growth();

        BenchResult result = Tiny.run(benchmark, sized(benchmark));

        assertThat(result.floors()).hasSize(2);
        assertThat(result.lines())
                .hasSize(4)
                .allSatisfy(line -> assertThat(line.samples().median()).isPositive());
    }

    private static BenchOptions sized(Growth benchmark) {
        BenchOptions tiny = Tiny.of(benchmark);
        return tiny.withVariants(tiny.variants().withRetained(1_000, 2_000));
    }
}
