package dev.posthorn.demo;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.DatabaseUrl;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.Schema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the demo runs: an embedded Postgres that goes with it, or a database of the user's. */
final class DemoDatabase implements AutoCloseable {

    static final String ROUTE = "demo";

    /** Two demos in one database would take each other's events. */
    private static final String ONE_AT_A_TIME = "SELECT pg_try_advisory_lock(hashtextextended('posthorn.demo', 0))";

    private static final String OTHER_ROUTES = """
            SELECT string_agg(name, ', ' ORDER BY name) FROM posthorn.route WHERE name <> 'demo'
            """;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final @Nullable EmbeddedPostgres embedded;
    private final @Nullable Connection guard;
    private final HikariDataSource pool;

    private DemoDatabase(@Nullable EmbeddedPostgres embedded, @Nullable Connection guard, HikariDataSource pool) {
        this.embedded = embedded;
        this.guard = guard;
        this.pool = pool;
    }

    static DemoDatabase embedded(int connections) {
        EmbeddedPostgres postgres = EmbeddedPostgres.start();
        try {
            return new DemoDatabase(postgres, null, migrated(pool(DatabaseUrl.parse(postgres.jdbcUrl()), connections)));
        } catch (RuntimeException failed) {
            postgres.close();
            throw failed;
        }
    }

    static DemoDatabase at(String url, int connections) {
        DatabaseUrl where = parsed(url);
        Connection guard = null;
        try {
            guard = DriverManager.getConnection(where.jdbcUrl(), where.properties(Map.of()));
            if (!"t".equals(text(guard, ONE_AT_A_TIME))) {
                throw new CannotRunException(
                        "Another demo runs in this database; wait for it or use another database.");
            }
            refuseOtherRoutes(guard);
            return new DemoDatabase(null, guard, migrated(pool(where, connections)));
        } catch (SQLException | HikariPool.PoolInitializationException failed) {
            close(guard);
            throw new CannotRunException("The database " + where + " cannot be used: " + failed.getMessage(), failed);
        } catch (RuntimeException failed) {
            close(guard);
            throw failed;
        }
    }

    private static DatabaseUrl parsed(String url) {
        try {
            return DatabaseUrl.parse(url);
        } catch (PosthornException invalid) {
            throw new CannotRunException("--database-url: " + invalid.getMessage());
        }
    }

    HikariDataSource pool() {
        return pool;
    }

    boolean isEmbedded() {
        return embedded != null;
    }

    String describe() {
        try (Connection connection = pool.getConnection()) {
            String version =
                    connection.getMetaData().getDatabaseProductVersion().split(" ", 2)[0];
            return embedded == null
                    ? "Postgres " + version + ", database " + connection.getCatalog()
                    : "embedded Postgres " + version + ", port " + embedded.port();
        } catch (SQLException failed) {
            throw new CannotRunException("The database went away: " + failed.getMessage(), failed);
        }
    }

    @Override
    public void close() {
        pool.close();
        close(guard);
        if (embedded != null) {
            embedded.close();
        }
    }

    private static HikariDataSource pool(DatabaseUrl url, int connections) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("posthorn-demo");
        config.setJdbcUrl(url.jdbcUrl());
        config.setDataSourceProperties(url.properties(Map.of()));
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(CONNECT_TIMEOUT.toMillis());
        return new HikariDataSource(config);
    }

    private static HikariDataSource migrated(HikariDataSource pool) {
        try {
            new Migrations(Schema.DEFAULT).migrate(pool);
            return pool;
        } catch (RuntimeException failed) {
            pool.close();
            throw failed;
        }
    }

    /** Their relays would publish the demo's events to destinations that are none of its business. */
    private static void refuseOtherRoutes(Connection connection) throws SQLException {
        boolean hasLog = text(connection, "SELECT to_regclass('posthorn.route')") != null;
        String others = hasLog ? text(connection, OTHER_ROUTES) : null;
        if (others != null) {
            throw new CannotRunException("The log of this database has other routes (" + others
                    + "), which would publish the demo's events too. Use another database.");
        }
    }

    private static @Nullable String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getString(1) : null;
        }
    }

    private static void close(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException goneAnyway) {
                // The server ends a session whose client is gone.
            }
        }
    }
}
