package dev.posthorn.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class HeldXminTest {

    @Test
    void whatIsRetainedIsNotPublishedAgain() throws SQLException {
        HeldXmin benchmark = new HeldXmin();

        BenchResult result = Tiny.run(benchmark, Tiny.of(benchmark));

        assertThat(result.floors()).hasSize(1);
        assertThat(result.lines())
                .allSatisfy(line -> assertThat(line.samples().median()).isPositive());
    }
}
