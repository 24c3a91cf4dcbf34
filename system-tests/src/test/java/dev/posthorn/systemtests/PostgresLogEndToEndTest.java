package dev.posthorn.systemtests;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.embeddedpostgres.StopMode;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRouteStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.postgreslog.LogDatabase;
import dev.posthorn.transports.postgreslog.PostgresLogConfig;
import dev.posthorn.transports.postgreslog.PostgresLogTransport;

/** From the log of one database into the log of another, whose server is killed, and from there to its subscriber. */
class PostgresLogEndToEndTest extends RelayEndToEnd {

    @Override
    BrokerUnderTest startBroker() {
        EmbeddedPostgres postgres = Shop.builder().start();
        HikariDataSource pool = pool(postgres);
        new Migrations(Schema.DEFAULT).migrate(pool);
        return new BrokerUnderTest() {
            @Override
            public Bus open() {
                return PostgresLogTransport.over(
                        new LogDatabase(
                                pool,
                                new PostgresOutbox(PostgresOutboxConfig.DEFAULT),
                                PostgresRouteStores.of(pool, Schema.DEFAULT)),
                        PostgresLogConfig.standard().withPrefix("shop"));
            }

            @Override
            public void kill() {
                postgres.kill();
            }

            @Override
            public void start() {
                postgres.restart(StopMode.IMMEDIATE);
            }

            @Override
            public void close() {
                pool.close();
                postgres.close();
            }
        };
    }

    private static HikariDataSource pool(EmbeddedPostgres postgres) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(postgres.createDatabase("destination") + "&connectTimeout=2&loginTimeout=2");
        config.setMaximumPoolSize(25);
        config.setConnectionTimeout(2_000);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }
}
