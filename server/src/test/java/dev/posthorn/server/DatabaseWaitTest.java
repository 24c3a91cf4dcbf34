package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.PosthornException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;

class DatabaseWaitTest {

    @Test
    void a_pool_that_gets_no_connection_in_time_is_waited_for() {
        SQLException late = new SQLTransientConnectionException("request timed out after 668ms");

        assertThat(DatabaseWait.isAbsent(new PosthornException("no schema", late)))
                .isTrue();
    }

    @Test
    void a_wrong_password_is_not_waited_for() {
        SQLException refused = new SQLException("password authentication failed", "28P01");

        assertThat(DatabaseWait.isAbsent(new PosthornException("no connection", refused)))
                .isFalse();
        assertThat(DatabaseWait.isAbsent(new SQLTransientConnectionException("request timed out", refused)))
                .isFalse();
    }
}
