package dev.posthorn.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class EmitTest {

    @Test
    void everyFormRunsWithEveryNumberOfClients() throws SQLException {
        Emit benchmark = new Emit();

        BenchResult result = Tiny.run(benchmark, Tiny.of(benchmark));

        assertThat(result.floors()).hasSize(6);
        assertThat(result.lines())
                .hasSize(8)
                .allSatisfy(line -> assertThat(line.samples().median()).isPositive());
    }
}
