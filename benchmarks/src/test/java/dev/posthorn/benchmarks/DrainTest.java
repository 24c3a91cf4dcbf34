package dev.posthorn.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That the benchmark runs and verifies what it delivers; its speed is for a quiet machine to say. */
@Tag("exact")
class DrainTest {

    @Test
    void everyContenderDeliversEveryEvent() throws SQLException {
        BenchOptions options = Tiny.of(new Drain()).withEvents(2_050);

        BenchResult result;
        try (BenchContext context = BenchContext.on(Servers.unsafeFast(), options, progress -> {})) {
            result = new Drain().run(context);
        }

        assertThat(result.headline().ours()).isPositive();
        assertThat(ResultJson.of(result)).startsWith("{\"name\":\"drain\",\"unit\":\"events/s\",\"ours\":");
    }
}
