package dev.posthorn.transports.redisstreams;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.FencedReceiver;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.MemberSubscription;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.SubscriberCheck;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Threads;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries events through streams of Redis, 7.0 or later, one server or one with replicas.
 *
 * <p>A stream for each domain, or what the names say, is split into shards by the event's key. Every subscriber has a
 * consumer group on each; each shard is with one member of a subscriber at a time, so the events of a key are handled in
 * order, and one at a time. An event is accepted when Redis has answered; what that survives depends on its append-only file.
 *
 * <p>Not guaranteed: Redis Cluster is not supported. A member that stands still for longer than its lease may still be
 * handling an event when another begins with the same. Thread-safe.
 */
public final class RedisStreamsTransport implements Bus, SubscriberCheck {

    private static final Logger LOG = LoggerFactory.getLogger(RedisStreamsTransport.class);

    /** Until then the member has noticed, and dropped it. */
    private static final Verdict NOT_OURS = Verdict.retry(Duration.ofSeconds(1), "the lease of its shard has run out");

    private static final int PREFETCH = 100;

    private final RedisStreamsConfig config;
    private final StreamNames names;
    private final Connector connector;
    private final Trimmer trimmer;
    private final ScheduledExecutorService timer;
    private final Set<RedisPublisher> publishers = ConcurrentHashMap.newKeySet();
    private final Set<MemberSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private @Nullable ScheduledExecutorService trimming;
    private boolean closed;

    public RedisStreamsTransport(RedisStreamsConfig config) {
        this.config = config;
        this.names = new StreamNames(config.names(), config.shards());
        this.connector =
                new Connector(config.uri(), config.client(), config.timing().answer());
        this.trimmer = new Trimmer(connector, config, names);
        this.timer = Threads.timed("posthorn-redis-timer");
        long often = Math.max(1, config.timing().answer().toMillis() / 10);
        var unused = timer.scheduleWithFixedDelay(this::look, often, often, TimeUnit.MILLISECONDS);
    }

    private void look() {
        publishers.removeIf(RedisPublisher::isClosed);
        subscriptions.removeIf(MemberSubscription::isClosed);
        publishers.forEach(RedisPublisher::giveUpOverdue);
        try {
            publishers.forEach(RedisPublisher::register);
        } catch (PosthornException later) {
            LOG.debug("Streams could not be registered yet: {}", later.getMessage());
        }
    }

    @Override
    public String name() {
        return "redis-streams";
    }

    /** Durable stands for an append-only file, which only the server can have. */
    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, true, true, false, false, config.maxMessageBytes(), Duration.ZERO);
    }

    @Override
    public Duration ackDeadline() {
        return Duration.ZERO; // a member keeps its shards as long as it is alive
    }

    @Override
    public Publisher publisher() {
        RedisPublisher publisher = new RedisPublisher(connector, link -> new Courier(link, config, names));
        if (startTrimming()) {
            publishers.add(publisher);
        } else {
            publisher.close();
        }
        return publisher;
    }

    @Override
    public Subscription subscribe(Subscriber subscriber, Receiver receiver) {
        if (!startTrimming()) {
            throw new PosthornException(
                    "Subscriber " + subscriber.name() + " can not be added: the Redis Streams transport is closed.");
        }
        String id = "posthorn-" + UUID.randomUUID();
        Duration lease = config.timing().lease();
        Semaphore wake = new Semaphore(0);
        Streams streams = new Streams(config, names, subscriber);
        Membership membership = new Membership(subscriber, id, names, streams, lease);
        Settlements settlements = new Settlements(subscriber, id, names, wake::release);
        FencedReceiver fenced = new FencedReceiver(
                receiver,
                receipt -> membership.holds(receipt.metadata().getOrDefault(RedisArrival.STREAM, "")),
                NOT_OURS);
        Handout handout = new Handout(subscriber, fenced, PREFETCH);
        Intake intake = new Intake(id, handout, settlements, lease, wake::release);
        Member.Parts parts = new Member.Parts(streams, membership, settlements, intake, handout);
        MemberSubscription subscription = new MemberSubscription(
                subscriber,
                handout,
                new Member(subscriber, connector, config.timing().answer(), parts, wake));
        subscriptions.add(subscription);
        subscription.start();
        return subscription;
    }

    /** Streams without a consumer group. */
    @Override
    public Set<String> unsubscribed(Set<String> destinations) {
        if (destinations.isEmpty()) {
            return Set.of();
        }
        try (Link link = connector.connect().join()) {
            Set<String> without = new TreeSet<>();
            for (String stream : destinations) {
                if (link.await(link.commands().exists(Link.bytes(stream))) == 1
                        && link.await(link.commands().xinfoGroups(Link.bytes(stream)))
                                .isEmpty()) {
                    without.add(stream);
                }
            }
            return without;
        } catch (RuntimeException failed) {
            throw new PosthornException("Redis does not say who subscribes: " + connector.reason(failed), failed);
        }
    }

    /** With the first publisher or subscriber; false if this is closed. */
    private synchronized boolean startTrimming() {
        if (trimming == null && !closed) {
            ScheduledExecutorService started = Threads.timed("posthorn-redis-trim");
            var unused = started.scheduleWithFixedDelay(
                    trimmer::runOnce, 0, config.timing().trimEvery().toMillis(), TimeUnit.MILLISECONDS);
            trimming = started;
        }
        return !closed;
    }

    /** Closes its subscriptions and publishers. */
    @Override
    public void close() {
        ScheduledExecutorService trims;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            trims = trimming;
        }
        timer.shutdown();
        subscriptions.forEach(MemberSubscription::close);
        publishers.forEach(RedisPublisher::close);
        if (trims != null) {
            stop(trims);
        }
        connector.close();
    }

    /** A trimming that has begun ends by itself, within its time-outs; the connection must not vanish under it. */
    private void stop(ScheduledExecutorService trims) {
        trims.execute(trimmer::close);
        trims.shutdown();
        try {
            var unused = trims.awaitTermination(config.timing().answer().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stop) {
            trims.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
