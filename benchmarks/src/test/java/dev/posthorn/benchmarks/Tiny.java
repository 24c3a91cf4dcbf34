package dev.posthorn.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;

/** Runs a benchmark as small as it goes: that it works and what it says, not how fast anything is. */
final class Tiny {

    private Tiny() {}

    static BenchOptions of(Benchmark benchmark) {
        return new BenchOptions(
                1,
                1_000,
                100,
                30,
                Duration.ofMillis(200),
                benchmark
                        .standard()
                        .variants()
                        .withBatches(500)
                        .withRetained(2_000)
                        .withClients(1, 2)
                        .withRates(50)
                        .withRelays(1, 2));
    }

    static BenchResult run(Benchmark benchmark, BenchOptions options) throws SQLException {
        BenchResult result;
        try (BenchContext context = BenchContext.on(Servers.unsafeFast(), options, progress -> {})) {
            result = benchmark.run(context);
        }
        assertThat(result.name()).isEqualTo(benchmark.name());
        assertThat(result.headline().ours()).isPositive();
        assertThat(result.headline().baseline()).isPositive();
        assertThat(ResultText.of(result)).startsWith(benchmark.name() + ", median of " + options.runs());
        assertThat(ResultJson.of(result)).startsWith("{\"name\":\"" + benchmark.name() + "\",\"unit\":");
        return result;
    }
}
