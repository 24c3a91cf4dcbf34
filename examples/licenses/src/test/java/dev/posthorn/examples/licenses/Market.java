package dev.posthorn.examples.licenses;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedbrokers.EmbeddedPubSub;
import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.inboxes.redis.RedisInboxConfig;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transports.googlepubsub.Endpoint;
import dev.posthorn.transports.googlepubsub.GooglePubSubTransport;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** The servers and tables that the example needs. */
final class Market implements AutoCloseable {

    static final String PROJECT = "packfinderz-test";

    /** What happens in a transaction. */
    interface Change {
        UUID in(Connection connection) throws SQLException;
    }

    private final EmbeddedPostgres postgres;
    private final EmbeddedPubSub pubsub;
    private final EmbeddedRedis redis;
    private final HikariDataSource pool;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> marks;
    private final Licenses licenses = new Licenses(new PostgresOutbox(PostgresOutboxConfig.DEFAULT));

    private Market(EmbeddedPostgres postgres, EmbeddedPubSub pubsub, EmbeddedRedis redis) {
        this.postgres = postgres;
        this.pubsub = pubsub;
        this.redis = redis;
        HikariConfig hikari = new HikariConfig();
        hikari.setJdbcUrl(postgres.jdbcUrl());
        hikari.setMaximumPoolSize(40);
        this.pool = new HikariDataSource(hikari);
        this.client = RedisClient.create(redisUrl());
        this.marks = client.connect();
    }

    /** Skips the test where a server is missing; on a CI machine that is a failure. */
    static Market open() throws SQLException {
        need(EmbeddedPubSub.isInstalled(), "there is no emulator of Pub/Sub on this machine");
        need(EmbeddedRedis.isInstalled(), "there is no redis-server on this machine");
        EmbeddedPubSub pubsub = EmbeddedPubSub.start();
        if (!pubsub.kind().keepsOrder()) {
            pubsub.close();
            need(false, "there is only pstest, which keeps no order");
        }
        Market market = new Market(EmbeddedPostgres.builder().unsafeFast().start(), pubsub, EmbeddedRedis.start());
        new Migrations(Schema.DEFAULT).migrate(market.pool);
        Tables.create(market.pool);
        return market;
    }

    private static void need(boolean there, String why) {
        if (!there) {
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(why);
            }
            System.out.println("The example of licenses is not tested: " + why);
            Assumptions.abort(why);
        }
    }

    HikariDataSource pool() {
        return pool;
    }

    Licenses licenses() {
        return licenses;
    }

    EmbeddedRedis redis() {
        return redis;
    }

    Topic topic(String name) {
        return new Topic(pubsub.address(), PROJECT, name);
    }

    GooglePubSubTransport transport(Variables variables) {
        return DomainTopic.transport(variables, Endpoint.emulator(PROJECT, pubsub.address()));
    }

    RedisInboxConfig marks(Variables variables) {
        return variables.marks(redisUrl());
    }

    /** What Redis has, for whoever looks into it. */
    RedisCommands<String, String> keys() {
        return marks.sync();
    }

    static String key(UUID event) {
        return "pf:evt:processed:compliance:" + event;
    }

    private String redisUrl() {
        return "redis://" + redis.host() + ":" + redis.port();
    }

    /** What a process of the worker needs to find its servers, beside the design's variables. */
    Map<String, String> environment(Map<String, String> variables) {
        Map<String, String> environment = new HashMap<>(variables);
        environment.put("DATABASE_URL", postgres.jdbcUrl() + "&ApplicationName=worker");
        environment.put("REDIS_URL", redisUrl());
        environment.put("GOOGLE_CLOUD_PROJECT", PROJECT);
        environment.put(Endpoint.EMULATOR_HOST, pubsub.address());
        return environment;
    }

    /** A connection that is in no pool. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(postgres.jdbcUrl());
    }

    UUID commit(Change change) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            UUID event = change.in(connection);
            connection.commit();
            return event;
        }
    }

    void run(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the first row, or "none". */
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
        marks.close();
        client.shutdown();
        pool.close();
        redis.close();
        pubsub.close();
        postgres.close();
    }
}
