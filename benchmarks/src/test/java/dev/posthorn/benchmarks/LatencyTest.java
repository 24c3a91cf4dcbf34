package dev.posthorn.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class LatencyTest {

    @Test
    void everyWayPublishesEveryEvent() throws SQLException {
        Latency benchmark = new Latency();

        BenchResult result = Tiny.run(benchmark, Tiny.of(benchmark));

        assertThat(result.floors()).hasSize(2);
        assertThat(result.lines()).hasSize(3 * 4 + 3);
        assertThat(result.lines().subList(0, 3 * 4))
                .allSatisfy(line -> assertThat(line.samples().median()).isNotNegative());
    }
}
