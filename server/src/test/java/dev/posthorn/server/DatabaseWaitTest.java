package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.PosthornException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;

class DatabaseWaitTest {

    @Test
    void aPoolThatGetsNoConnectionInTimeIsWaitedFor() {
        SQLException late = new SQLTransientConnectionException("request timed out after 668ms");

        assertThat(DatabaseWait.isAbsent(new PosthornException("no schema", late)))
                .isTrue();
    }

    @Test
    void aWrongPasswordIsNotWaitedFor() {
        SQLException refused = new SQLException("password authentication failed", "28P01");

        assertThat(DatabaseWait.isAbsent(new PosthornException("no connection", refused)))
                .isFalse();
        assertThat(DatabaseWait.isAbsent(new SQLTransientConnectionException("request timed out", refused)))
                .isFalse();
    }
}
