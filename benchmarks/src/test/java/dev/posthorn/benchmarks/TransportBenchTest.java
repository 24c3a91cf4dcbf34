package dev.posthorn.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class TransportBenchTest {

    @Test
    void measuresARelayBesideTheBrokersOwnClient() throws SQLException {
        TransportBench benchmark = new TransportBench();

        BenchResult result = Tiny.run(benchmark, Tiny.of(benchmark));

        assertThat(result.lines()).extracting(BenchResult.Line::contender).contains("the broker's own client");
        assertThat(result.lines())
                .allSatisfy(line -> assertThat(line.samples().median()).isPositive());
    }
}
