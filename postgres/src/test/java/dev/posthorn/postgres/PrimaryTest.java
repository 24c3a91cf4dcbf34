package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class PrimaryTest {

    private final Primary primary = new Primary();

    @Test
    void aServerThatWasRestartedOrPromotedIsThePrimary() throws SQLException {
        assertThat(primary.checked("1700000000.1/00000009")).isEqualTo("1700000000.1/00000009");
        assertThat(primary.checked("1700000099.1/00000009")).isEqualTo("1700000099.1/00000009");
        assertThat(primary.checked("1600000000.1/0000000A")).isEqualTo("1600000000.1/0000000A");
    }

    @Test
    void aStandbyIsNot() {
        assertThatThrownBy(() -> primary.checked("standby"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("standby")
                .extracting(failed -> ((SQLException) failed).getSQLState())
                .isEqualTo("25006");
    }

    @Test
    void aServerOfAnOlderTimelineIsNotAnyMore() throws SQLException {
        primary.checked("1600000000.1/0000000A");

        assertThatThrownBy(() -> primary.checked("1700000000.1/00000009"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("timeline 9, but the primary is on 10");
    }
}
