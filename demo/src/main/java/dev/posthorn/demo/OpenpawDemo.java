package dev.posthorn.demo;

import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.event.PosthornException;
import dev.posthorn.examples.openpaw.AssetRegistry;
import dev.posthorn.examples.openpaw.Openpaw;
import dev.posthorn.examples.openpaw.Service;
import dev.posthorn.examples.openpaw.Services;
import dev.posthorn.examples.openpaw.Site;
import dev.posthorn.examples.openpaw.SyncWorker;
import dev.posthorn.examples.openpaw.Tables;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.relay.Relay;
import dev.posthorn.transports.redisstreams.RedisStreamsTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Random;

/** One run of examples/openpaw: producers, a relay, Redis Streams, three services, the workflows, and the verdict. */
final class OpenpawDemo {

    /** Relay, audit, and five for each of three services and the workflows; each producer needs one more. */
    private static final int CONNECTIONS_BESIDE_PRODUCERS = 32;

    /** Created, copied, settled. The command is none: it says what shall be, not what was. */
    private static final int EVENTS_OF_A_VERSION = 3;

    private static final int ASSETS = 200;

    /** With less, a crash of Redis could lose what it accepted, and the first promise would not hold. */
    private static final Map<String, String> DURABLE = Map.of("appendfsync", "always");

    private final ExampleRun.Setting setting;
    private final ExampleRun run;

    OpenpawDemo(ExampleRun.Setting setting) {
        this.setting = setting;
        this.run = new ExampleRun(setting, this::underWay);
    }

    private String underWay() {
        return "under way " + Numbers.count(run.lag().underWay());
    }

    ExampleVerdict run() throws SQLException {
        if (!EmbeddedRedis.isInstalled()) {
            throw new PosthornException(
                    "There is no redis-server on the path of this process. Install the package redis-server.");
        }
        setting.display().note("starting Postgres ...");
        try (DemoDatabase database =
                DemoDatabase.embedded(setting.options().producers + CONNECTIONS_BESIDE_PRODUCERS)) {
            setting.display().note("starting Redis ...");
            try (EmbeddedRedis redis = EmbeddedRedis.start(DURABLE)) {
                Tables.create(database.pool());
                return run(database, redis);
            }
        }
    }

    private ExampleVerdict run(DemoDatabase database, EmbeddedRedis redis) throws SQLException {
        Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
        AssetRegistry registry = new AssetRegistry(outbox);
        String url = "redis://" + redis.host() + ":" + redis.port();
        try (RedisStreamsTransport transport = new RedisStreamsTransport(Openpaw.topology(url));
                Services services =
                        Services.start(transport, database.pool(), outbox, new SyncWorker(registry), this::noting);
                Relay relay = Openpaw.relay(
                        database.pool(), run.publisher(transport.publisher()), "demo-openpaw", ExampleRun.RETRY)) {
            setting.display().note("a stream for each type of event, and four groups; writing versions");
            long begin = System.nanoTime();
            run.produce(
                    database,
                    relay,
                    (connection, random) -> registry.createAssetVersion(connection, anyDraft(random)),
                    EVENTS_OF_A_VERSION);
            run.drain(database, relay, OpenpawAuditor::effects, OpenpawAuditor::expected);
            return verdict(database, services, run.secondsSince(begin));
        }
    }

    private static AssetRegistry.Draft anyDraft(Random random) {
        return new AssetRegistry.Draft(
                random.nextBoolean() ? Site.NORTH : Site.SOUTH,
                "tenant-" + random.nextInt(3),
                "request-" + random.nextLong(),
                "asset-" + random.nextInt(ASSETS),
                "author-" + random.nextInt(20));
    }

    /** The projection gets every event. */
    private EventHandler<Connection> noting(Service service, EventHandler<Connection> handler) {
        return service == Service.REPUTATION ? run.noting(handler) : handler;
    }

    private ExampleVerdict verdict(DemoDatabase database, Services services, double seconds) throws SQLException {
        try (Connection connection = database.pool().getConnection()) {
            ExampleFindings found = OpenpawAuditor.audit(connection);
            long duplicates = services.duplicates();
            return new ExampleVerdict(
                    found,
                    OpenpawStory.of(found, OpenpawAuditor.traces(connection), duplicates),
                    duplicates,
                    run.lag().overall(),
                    found.arrived() / seconds,
                    setting.seed());
        }
    }
}
