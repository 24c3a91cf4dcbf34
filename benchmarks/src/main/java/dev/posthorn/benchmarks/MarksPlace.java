package dev.posthorn.benchmarks;

import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.inbox.Inbox;
import dev.posthorn.inboxes.redis.RedisInbox;
import dev.posthorn.inboxes.redis.RedisInboxConfig;
import dev.posthorn.postgres.PostgresInbox;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** Where an inbox has its marks; effects are in Postgres either way. */
interface MarksPlace extends AutoCloseable {

    String POSTGRES = "postgres";
    String REDIS = "redis";

    Inbox<Connection> inbox();

    /** Nothing is marked any more. */
    void clear() throws SQLException;

    long count() throws SQLException;

    @Override
    void close();

    static MarksPlace named(String name, BenchContext context) {
        return switch (name) {
            case POSTGRES -> new BesideEffects(context);
            case REDIS -> InRedis.start(context);
            default ->
                throw new IllegalArgumentException(
                        "There is no inbox " + name + "; there are " + POSTGRES + " and " + REDIS + ".");
        };
    }

    /** In the transactions of the effects. */
    record BesideEffects(BenchContext context) implements MarksPlace {

        @Override
        public Inbox<Connection> inbox() {
            return new PostgresInbox(context.pool(), context.schema());
        }

        @Override
        public void clear() throws SQLException {
            context.run("TRUNCATE {schema}.inbox");
        }

        @Override
        public long count() throws SQLException {
            return (long) context.number("SELECT count(*) FROM {schema}.inbox");
        }

        @Override
        public void close() {
            // the database is the benchmark's
        }
    }

    /** In a Redis of its own, with an append-only file that is forced to disk every second, as is usual. */
    record InRedis(EmbeddedRedis redis, RedisInbox<Connection> inbox) implements MarksPlace {

        static InRedis start(BenchContext context) {
            EmbeddedRedis redis = EmbeddedRedis.start(Map.of("appendfsync", "everysec"));
            RedisInboxConfig config = RedisInboxConfig.at(RedisURI.create(redis.host(), redis.port()));
            return new InRedis(redis, RedisInbox.around(config, new PostgresInbox(context.pool(), context.schema())));
        }

        @Override
        public void clear() {
            try (RedisClient client = client();
                    StatefulRedisConnection<String, String> connection = client.connect()) {
                connection.sync().flushall();
            }
        }

        /** Members of consumers report to Postgres, so there is nothing but marks. */
        @Override
        public long count() {
            try (RedisClient client = client();
                    StatefulRedisConnection<String, String> connection = client.connect()) {
                return connection.sync().dbsize();
            }
        }

        private RedisClient client() {
            return RedisClient.create(RedisURI.create(redis.host(), redis.port()));
        }

        @Override
        public void close() {
            inbox.close();
            redis.close();
        }
    }
}
