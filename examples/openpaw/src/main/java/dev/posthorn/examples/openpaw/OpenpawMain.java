package dev.posthorn.examples.openpaw;

import dev.posthorn.commands.Answer;
import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.relay.Relay;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transports.redisstreams.RedisStreamsConfig;
import dev.posthorn.transports.redisstreams.RedisStreamsTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One service as a process of its own, at the Postgres of OPENPAW_DATABASE and the Redis of OPENPAW_REDIS:
 *
 * <ul>
 *   <li>{@code registry N}: writes N versions of assets while a relay runs beside it, then waits
 *   <li>{@code reputation}: projects points, until it is ended
 *   <li>{@code settle EVENT}: an API that sends the command for this event, and again until it is done
 * </ul>
 */
public final class OpenpawMain {

    /** So short that a second process need not wait long for the run or the stream of a dead one. */
    private static final Duration LEASE = Duration.ofSeconds(3);

    private static final Outbox OUTBOX = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);

    private final PGSimpleDataSource database = new PGSimpleDataSource();
    private final CountDownLatch forever = new CountDownLatch(1);

    private OpenpawMain(String url) {
        database.setURL(url);
    }

    public static void main(String[] args) throws Exception {
        OpenpawMain main = new OpenpawMain(System.getenv("OPENPAW_DATABASE"));
        String last = args[args.length - 1];
        switch (args[0]) {
            case "registry" -> main.registry(Integer.parseInt(last));
            case "reputation" -> main.reputation();
            case "settle" -> main.settle(UUID.fromString(last));
            default ->
                throw new IllegalArgumentException(
                        "There is no service " + args[0] + ". Name one of registry N, reputation and settle EVENT.");
        }
    }

    private void registry(int versions) throws SQLException, InterruptedException {
        AssetRegistry registry = new AssetRegistry(OUTBOX);
        try (RedisStreamsTransport transport = transport();
                Relay relay = Openpaw.relay(database, transport.publisher(), "registry", RetryPolicy.exponential())) {
            for (int i = 1; i <= versions; i++) {
                try (Connection connection = database.getConnection()) {
                    connection.setAutoCommit(false);
                    registry.createAssetVersion(
                            connection,
                            new AssetRegistry.Draft(Site.NORTH, "acme", "request-" + i, "asset-" + i, "ada"));
                    connection.commit();
                }
                relay.wakeUp();
            }
            System.out.println("written " + versions);
            forever.await();
        }
    }

    private void reputation() throws InterruptedException {
        try (RedisStreamsTransport transport = transport();
                Consumer<Connection> consumer =
                        Services.consumer(transport, Service.REPUTATION, database, Reputation.handler())) {
            System.out.println("reputation reads; paused: " + consumer.isPaused());
            forever.await();
        }
    }

    private void settle(UUID created) throws InterruptedException {
        CommandRunner<Connection> runner = new RewardSettlement(OUTBOX).runner(database, LEASE);
        Command command = RewardSettlement.commandFor(Event.of(Openpaw.DOMAIN, Openpaw.VERSION_CREATED)
                .id(created)
                .key("asset-1")
                .tenant("acme")
                .json(new AssetVersion(Site.NORTH, Site.NORTH, "asset-1", 1, "ada").json())
                .build());
        Answer answer = runner.call(command);
        System.out.println(answer);
        while (!(answer instanceof Answer.Done)) {
            TimeUnit.MILLISECONDS.sleep(200);
            answer = runner.call(command);
            System.out.println(answer);
        }
    }

    private static RedisStreamsTransport transport() {
        return new RedisStreamsTransport(quick(Openpaw.topology(System.getenv("OPENPAW_REDIS"))));
    }

    static RedisStreamsConfig quick(RedisStreamsConfig config) {
        RedisStreamsConfig.Timing standard = RedisStreamsConfig.Timing.STANDARD;
        return config.timing(
                new RedisStreamsConfig.Timing(standard.answer(), LEASE, standard.retention(), standard.trimEvery()));
    }
}
