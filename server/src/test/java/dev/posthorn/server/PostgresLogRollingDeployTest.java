package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRouteStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.postgreslog.LogDatabase;
import dev.posthorn.transports.postgreslog.PostgresLogConfig;
import dev.posthorn.transports.postgreslog.PostgresLogTransport;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PostgresLogRollingDeployTest extends RollingDeploy {

    private @Nullable LogDatabase log;

    @Override
    void startBroker(HikariDataSource database) {
        log = new LogDatabase(
                database,
                new PostgresOutbox(PostgresOutboxConfig.DEFAULT),
                PostgresRouteStores.of(database, Schema.DEFAULT));
    }

    @Override
    Bus open() {
        return PostgresLogTransport.over(
                Objects.requireNonNull(log), PostgresLogConfig.standard().withPrefix("shop"));
    }

    /** A route's filter cannot change, so the new member is refused and no event is at risk. */
    @Test
    @Override
    void theSameWhereTheFilterOfTheOldMemberLeavesTheTypeOut() {
        assertThatThrownBy(super::theSameWhereTheFilterOfTheOldMemberLeavesTheTypeOut)
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("exists with another filter");
    }

    @Override
    void endBroker() {
        // the log ends with its database
    }
}
