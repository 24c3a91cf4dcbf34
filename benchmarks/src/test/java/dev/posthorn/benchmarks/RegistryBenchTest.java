package dev.posthorn.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class RegistryBenchTest {

    @Test
    void everyContractLetsEveryEventPass() throws SQLException {
        RegistryBench benchmark = new RegistryBench();

        BenchResult result = Tiny.run(benchmark, Tiny.of(benchmark));

        assertThat(result.lines()).hasSize(13);
        assertThat(result.floors()).hasSize(2);
    }
}
