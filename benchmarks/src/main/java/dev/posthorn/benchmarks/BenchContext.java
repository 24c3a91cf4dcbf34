package dev.posthorn.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The database a benchmark runs on: one pool for all contenders, and one schema that is dropped when it ends.
 *
 * <p>Thread-safe.
 */
final class BenchContext implements AutoCloseable {

    private static final Schema SCHEMA = new Schema("posthorn_bench");
    private static final int CONNECTIONS = 10;

    private final BenchOptions options;
    private final Consumer<String> progress;
    private final @Nullable EmbeddedPostgres server;
    /** By the name of their database. */
    private final Map<String, BenchContext> siblings = new LinkedHashMap<>();

    private volatile HikariDataSource pool;

    private BenchContext(
            BenchOptions options, Consumer<String> progress, @Nullable EmbeddedPostgres server, HikariDataSource pool) {
        this.options = options;
        this.progress = progress;
        this.server = server;
        this.pool = pool;
    }

    /** On a server of its own, as durable as Postgres is by default. */
    static BenchContext embedded(BenchOptions options, Consumer<String> progress) throws SQLException {
        return on(Servers.durable(), options, progress);
    }

    /** On this server, which is closed with the context. */
    static BenchContext on(EmbeddedPostgres server, BenchOptions options, Consumer<String> progress)
            throws SQLException {
        HikariDataSource pool = pool(server.jdbcUrl(), Map.of());
        return new BenchContext(options, progress, server, pool).migrated();
    }

    /** On a database that is there already. */
    static BenchContext at(String url, BenchOptions options, Consumer<String> progress) throws SQLException {
        return new BenchContext(options, progress, null, pool(url, Map.of())).migrated();
    }

    /**
     * A database of its own on the same server, so that contenders with different logs can be measured in turn. It is
     * closed with this one.
     */
    BenchContext sibling(String name, BenchOptions sized) throws SQLException {
        String database = SCHEMA.name() + "_" + name;
        run("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)", "CREATE DATABASE " + database);
        String url =
                pool.getJdbcUrl().replaceFirst("^jdbc:postgresql:(//[^/?]*/)?[^?]*", "jdbc:postgresql:$1" + database);
        BenchContext sibling = new BenchContext(sized, progress, null, pool(url, Map.of()));
        siblings.put(database, sibling);
        return sibling.migrated();
    }

    /** A connection of its own, outside the pool. The caller closes it. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(pool.getJdbcUrl());
    }

    /**
     * From now on pg_stat_statements counts every statement: connections ask for it, and prepare nothing on the server,
     * because a COMMIT that is prepared there would be counted only once. Nobody may be using the pool.
     */
    void countStatements() {
        HikariDataSource before = pool;
        pool = pool(before.getJdbcUrl(), Map.of("prepareThreshold", "0", "options", "-c pg_stat_statements.track=top"));
        before.close();
    }

    /** A pool as a relay process has it: as the others', with the relay's connection options. The caller closes it. */
    HikariDataSource relayPool() {
        Map<String, String> properties = new HashMap<>();
        pool.getDataSourceProperties().forEach((name, value) -> properties.put(name.toString(), value.toString()));
        properties.merge("options", PostgresRelayStores.connectionOptions(), (a, b) -> a + " " + b);
        return pool(pool.getJdbcUrl(), properties);
    }

    static HikariDataSource pool(String url, Map<String, String> properties) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        properties.forEach(config::addDataSourceProperty);
        return new HikariDataSource(config);
    }

    private BenchContext migrated() throws SQLException {
        dropSchema();
        new Migrations(SCHEMA).migrate(pool);
        return this;
    }

    private void dropSchema() throws SQLException {
        run("DROP SCHEMA IF EXISTS " + SCHEMA.name() + " CASCADE");
    }

    BenchOptions options() {
        return options;
    }

    HikariDataSource pool() {
        return pool;
    }

    Schema schema() {
        return SCHEMA;
    }

    /** Reports progress; results go elsewhere. */
    void say(String format, Object... values) {
        progress.accept("bench: " + String.format(Locale.ROOT, format, values));
    }

    /** Runs statements, each by itself; {@code {schema}} is the context's schema. */
    void run(String... statements) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(inSchema(sql));
            }
        }
    }

    /** The one number a query answers. */
    double number(String query) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(inSchema(query))) {
            row.next();
            return row.getDouble(1);
        }
    }

    /** The one text a query answers. */
    String text(String query) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(inSchema(query))) {
            row.next();
            return row.getString(1);
        }
    }

    /** Where the figures come from. */
    Map<String, Object> environment() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT current_setting('server_version'),"
                        + " current_setting('fsync'), current_setting('synchronous_commit')")) {
            row.next();
            Map<String, Object> environment = new LinkedHashMap<>();
            environment.put("postgres", row.getString(1));
            environment.put("fsync", row.getString(2));
            environment.put("synchronous_commit", row.getString(3));
            environment.put("java", Runtime.version().toString());
            environment.put("cores", Runtime.getRuntime().availableProcessors());
            return environment;
        }
    }

    String inSchema(String sql) {
        return sql.replace("{schema}", SCHEMA.name());
    }

    /** Ends the pool's connections; whoever asks next gets a new one. */
    void freshConnections() {
        pool.getHikariPoolMXBean().softEvictConnections();
    }

    /** Leaves nothing to be done in the background, so that every measurement starts alike. */
    void settle(String... tables) throws SQLException {
        for (String table : tables) {
            run("VACUUM (ANALYZE) {schema}." + table);
        }
        run("CHECKPOINT");
        System.gc();
    }

    @Override
    public void close() {
        siblings.values().forEach(sibling -> sibling.pool.close());
        try {
            if (server == null) {
                for (String database : siblings.keySet()) {
                    run("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
                }
                dropSchema();
            }
        } catch (SQLException e) {
            say("the schema %s is left behind: %s", SCHEMA.name(), e);
        } finally {
            pool.close();
            if (server != null) {
                server.close();
            }
        }
    }
}
