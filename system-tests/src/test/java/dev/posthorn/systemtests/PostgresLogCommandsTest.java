package dev.posthorn.systemtests;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRouteStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.postgreslog.LogDatabase;
import dev.posthorn.transports.postgreslog.PostgresLogConfig;
import dev.posthorn.transports.postgreslog.PostgresLogTransport;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.ds.PGSimpleDataSource;

/** Commands that lie in the log of the database in which they are run. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresLogCommandsTest implements RunsCommands {

    private final PGSimpleDataSource database = new PGSimpleDataSource();
    private final HikariDataSource pool = new HikariDataSource();
    private EmbeddedPostgres postgres;
    private String url;

    @BeforeAll
    void start() {
        postgres = Shop.builder().start();
        url = postgres.createDatabase("shop");
        database.setUrl(url);
        new Migrations(Schema.DEFAULT).migrate(database);
        pool.setDataSource(database);
        pool.setMaximumPoolSize(25);
    }

    @AfterAll
    void end() {
        pool.close();
        if (postgres != null) {
            postgres.close();
        }
    }

    @Override
    public Bus openBus() {
        return PostgresLogTransport.over(
                new LogDatabase(
                        pool,
                        new PostgresOutbox(PostgresOutboxConfig.DEFAULT),
                        PostgresRouteStores.of(pool, Schema.DEFAULT)),
                PostgresLogConfig.standard().withPrefix("shop"));
    }

    @Override
    public DataSource database() {
        return database;
    }

    @Override
    public List<String> rows(String sql) {
        return Shop.rows(url, sql);
    }

    /** A log has an event once. */
    @Override
    public int deliveries(int published) {
        return 1;
    }
}
