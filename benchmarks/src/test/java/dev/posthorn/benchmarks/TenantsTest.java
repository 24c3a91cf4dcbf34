package dev.posthorn.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class TenantsTest {

    @Test
    void theSmallTenantIsMeasuredAloneBesideAndApart() throws SQLException {
        Tenants benchmark = new Tenants();

        BenchResult result = Tiny.run(benchmark, Tiny.of(benchmark));

        assertThat(result.floors()).hasSize(1);
        assertThat(result.lines()).hasSize(3 * 2);
    }
}
