package dev.posthorn.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What publishing costs the database does not depend on the machine, so every build holds it to the promise. */
@Tag("slow")
class CostTest {

    @Test
    void publishingCostsNoMoreThanPromised() throws SQLException {
        BenchOptions options = BenchOptions.standard().withEvents(20_000).withRuns(1);

        BenchResult result;
        try (BenchContext context = BenchContext.on(Servers.unsafeFast(), options, progress -> {})) {
            result = new Cost().run(context);
        }

        assertThat(result.floors()).as(ResultText.of(result)).isNotEmpty().allMatch(Floor::holds);
        assertThat(result.headline().ratio()).as("WAL beside the usual loop").isLessThan(0.05);
    }
}
