package dev.posthorn.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ConsumeTest {

    @Test
    void everyFormRunsWithEveryNumberOfThreads() throws SQLException {
        Consume benchmark = new Consume();

        BenchResult result = Tiny.run(benchmark, Tiny.of(benchmark));

        assertThat(result.floors()).hasSize(2);
        assertThat(result.lines())
                .hasSize(6)
                .allSatisfy(line -> assertThat(line.samples().median()).isPositive());
    }

    @Test
    void marksMayBeInRedis() throws SQLException {
        assumeTrue(EmbeddedRedis.isInstalled(), "redis-server is not installed on this machine");
        Consume benchmark = new Consume();
        BenchOptions tiny = Tiny.of(benchmark);

        BenchResult result = Tiny.run(
                benchmark, tiny.withVariants(tiny.variants().withInbox("redis").withClients(1)));

        assertThat(result.floors()).isEmpty();
        assertThat(result.notes()).containsEntry("inbox", "redis");
        assertThat(result.lines()).hasSize(3);
    }
}
