package dev.posthorn.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class HotKeyTest {

    @Test
    void oneKeyIsBoundByTheAnswer() throws SQLException {
        HotKey benchmark = new HotKey();

        BenchResult result = Tiny.run(benchmark, Tiny.of(benchmark));

        double late = result.lines().get(2).samples().median();
        assertThat(late).as(ResultText.of(result)).isPositive().isLessThan(1_000);
    }
}
