package dev.posthorn.examples.licenses;

import dev.posthorn.inboxes.redis.RedisInboxConfig;
import dev.posthorn.transports.googlepubsub.Endpoint;
import dev.posthorn.transports.googlepubsub.GooglePubSubConfig;
import dev.posthorn.transports.googlepubsub.GooglePubSubTransport;
import dev.posthorn.transports.googlepubsub.SubscriptionSettings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The worker as a process of its own, by the design's variables, at the Postgres of DATABASE_URL, the Redis of REDIS_URL and the
 * Pub/Sub of GOOGLE_CLOUD_PROJECT and, for an emulator, PUBSUB_EMULATOR_HOST. Runs until it is ended.
 */
public final class WorkerMain {

    /** So short that what a dead worker had comes again within seconds. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final Duration ACK_DEADLINE = Duration.ofSeconds(10);

    private WorkerMain() {}

    public static void main(String[] args) throws InterruptedException {
        Map<String, String> environment = System.getenv();
        Variables variables = Variables.of(environment);
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setURL(environment.get("DATABASE_URL"));
        GooglePubSubConfig topology = variables
                .topology(Endpoint.of(environment.getOrDefault("GOOGLE_CLOUD_PROJECT", "")))
                .subscriptions(SubscriptionSettings.STANDARD.ackDeadline(ACK_DEADLINE));
        RedisInboxConfig marks = variables
                .marks(environment.getOrDefault("REDIS_URL", "redis://localhost:6379"))
                .timing(RedisInboxConfig.Timing.STANDARD.lease(LEASE));
        GooglePubSubTransport transport = new GooglePubSubTransport(topology);
        Worker worker = Worker.start(transport, variables, database, marks, Compliance.handler());
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            worker.close();
            transport.close();
            ended.countDown();
        }));
        System.out.println("compliance reads " + variables.subscription());
        ended.await();
    }
}
