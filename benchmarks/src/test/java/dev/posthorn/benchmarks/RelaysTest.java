package dev.posthorn.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
@Tag("exact")
class RelaysTest {

    @Test
    void processesShareTheRoute() throws SQLException {
        Relays benchmark = new Relays();

        BenchResult result = Tiny.run(benchmark, Tiny.of(benchmark));

        assertThat(result.notes()).containsEntry("duplicates", 0);
        assertThat(result.lines()).extracting(BenchResult.Line::contender).containsExactly("1 relay", "2 relays");
    }
}
