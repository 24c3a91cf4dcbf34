package dev.posthorn.examples.openpaw;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.LoggedJvm;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transports.redisstreams.RedisStreamsTransport;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** The servers and tables that the example needs. */
final class Scene implements AutoCloseable {

    private final EmbeddedPostgres postgres;
    private final EmbeddedRedis redis;
    private final HikariDataSource pool;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> probe;
    private final Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
    private final AssetRegistry registry = new AssetRegistry(outbox);

    private Scene(EmbeddedPostgres postgres, EmbeddedRedis redis) {
        this.postgres = postgres;
        this.redis = redis;
        HikariConfig hikari = new HikariConfig();
        hikari.setJdbcUrl(postgres.jdbcUrl());
        hikari.setMaximumPoolSize(40);
        this.pool = new HikariDataSource(hikari);
        this.client = RedisClient.create(redisUrl(redis.port()));
        this.probe = client.connect();
    }

    /** Skips the test where Redis is missing; on a CI machine that is a failure. */
    static Scene open() throws SQLException {
        requireRedis();
        Scene scene = new Scene(EmbeddedPostgres.builder().unsafeFast().start(), EmbeddedRedis.start());
        new Migrations(Schema.DEFAULT).migrate(scene.pool);
        Tables.create(scene.pool);
        return scene;
    }

    static void requireRedis() {
        if (!EmbeddedRedis.isInstalled()) {
            String why = "redis-server is not installed on this machine";
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(why);
            }
            System.out.println("The example openpaw is not tested: " + why);
            Assumptions.abort(why);
        }
    }

    HikariDataSource pool() {
        return pool;
    }

    Outbox outbox() {
        return outbox;
    }

    AssetRegistry registry() {
        return registry;
    }

    int redisPort() {
        return redis.port();
    }

    static String redisUrl(int port) {
        return "redis://127.0.0.1:" + port;
    }

    RedisStreamsTransport transport() {
        return new RedisStreamsTransport(OpenpawMain.quick(Openpaw.topology(redisUrl(redis.port()))));
    }

    Relay relay(RedisStreamsTransport transport) {
        return Openpaw.relay(pool, transport.publisher(), "test", RetryPolicy.fixed(10, Duration.ofMillis(100)));
    }

    /** A service in a JVM of its own; its sessions have the name of the process. */
    LoggedJvm process(String name, int redisPort, String... arguments) throws IOException {
        String url = postgres.jdbcUrl();
        return LoggedJvm.start(
                OpenpawMain.class,
                Map.of(
                        "OPENPAW_DATABASE",
                        url + (url.contains("?") ? "&" : "?") + "ApplicationName=" + name,
                        "OPENPAW_REDIS",
                        redisUrl(redisPort)),
                arguments);
    }

    /** A connection for locks. */
    Connection locker() throws SQLException {
        Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
        connection.setAutoCommit(false);
        return connection;
    }

    /** How many sessions of a process wait for a lock on a table. */
    int waiting(String name) {
        return Integer.parseInt(
                one("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = 'relation'"
                        + " AND application_name = '" + name + "'"));
    }

    void endSessionsOf(String name) {
        Await.until(
                "the sessions of " + name + " to end",
                () -> one("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = '"
                                + name + "'")
                        .equals("0"));
    }

    UUID create(Site site, String asset, String author) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            UUID event = registry.createAssetVersion(
                    connection, new AssetRegistry.Draft(site, "acme", "request-of-" + asset, asset, author));
            connection.commit();
            return event;
        }
    }

    long lengthOf(String type) {
        return probe.sync().xlen(Openpaw.stream(type));
    }

    /** Entries that a group has read and not acknowledged. */
    long pending(String type, String group) {
        return probe.sync().xpending(Openpaw.stream(type), group).getCount();
    }

    StatefulRedisConnection<String, String> probe() {
        return probe;
    }

    void run(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the first row; none if there is no row. */
    String one(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? String.valueOf(row.getString(1)) : "none";
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        probe.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        pool.close();
        redis.close();
        postgres.close();
    }
}
