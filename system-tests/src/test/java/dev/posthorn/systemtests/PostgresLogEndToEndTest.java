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
import dev.posthorn.testkit.Forwarder;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.postgreslog.LogDatabase;
import dev.posthorn.transports.postgreslog.PostgresLogConfig;
import dev.posthorn.transports.postgreslog.PostgresLogTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** From the log of one database into the log of another, whose server is killed, and from there to its subscriber. */
class PostgresLogEndToEndTest extends RelayEndToEnd {

    @Override
    BrokerUnderTest startBroker() {
        return new Server(Shop.builder().start());
    }

    private static final class Server implements BrokerUnderTest {

        private final EmbeddedPostgres postgres;
        private final String url;
        private final Forwarder network;
        private final List<HikariDataSource> pools = new ArrayList<>();

        Server(EmbeddedPostgres postgres) {
            this.postgres = postgres;
            this.url = postgres.createDatabase("destination");
            this.network = Forwarder.to(postgres.port());
        }

        @Override
        public Bus open() {
            return open(pool(url));
        }

        @Override
        public Bus openThroughNetwork() {
            return open(pool(url.replace(":" + postgres.port() + "/", ":" + network.port() + "/")));
        }

        private static Bus open(HikariDataSource pool) {
            new Migrations(Schema.DEFAULT).migrate(pool);
            return PostgresLogTransport.over(
                    new LogDatabase(
                            pool,
                            new PostgresOutbox(PostgresOutboxConfig.DEFAULT),
                            PostgresRouteStores.of(pool, Schema.DEFAULT)),
                    PostgresLogConfig.standard().withPrefix("shop"));
        }

        private HikariDataSource pool(String address) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(address + "&connectTimeout=2&loginTimeout=2&socketTimeout=30");
            config.setMaximumPoolSize(25);
            config.setMinimumIdle(0);
            config.setIdleTimeout(10_000);
            config.setConnectionTimeout(2_000);
            // Each connection of before an outage is found to be dead one after the other.
            config.setValidationTimeout(1_000);
            config.setInitializationFailTimeout(-1);
            // Asked for with a pool's first connection; if that is lost just then, the pool never works again.
            config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
            HikariDataSource pool = new HikariDataSource(config);
            pools.add(pool);
            return pool;
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
        public void freeze() {
            postgres.freeze();
        }

        @Override
        public void thaw() {
            postgres.thaw();
        }

        @Override
        public Optional<Forwarder> network() {
            return Optional.of(network);
        }

        /** A transaction is several round trips. */
        @Override
        public Duration slowness() {
            return Duration.ofMillis(1_500);
        }

        @Override
        public void close() {
            pools.forEach(HikariDataSource::close);
            network.close();
            postgres.close();
        }
    }
}
