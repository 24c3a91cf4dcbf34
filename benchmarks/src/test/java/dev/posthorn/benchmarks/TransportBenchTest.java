package dev.posthorn.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransportBenchTest {

    @ParameterizedTest
    @ValueSource(strings = {"memory", "ipc"})
    void measuresARelayBesideTheBrokersOwnClient(String kind) throws SQLException {
        TransportBench benchmark = new TransportBench();
        BenchOptions tiny = Tiny.of(benchmark);

        BenchResult result =
                Tiny.run(benchmark, tiny.withVariants(tiny.variants().withKind(kind)));

        assertThat(result.lines()).extracting(BenchResult.Line::contender).contains("the broker's own client");
        assertThat(result.lines())
                .allSatisfy(line -> assertThat(line.samples().median()).isPositive());
    }
}
