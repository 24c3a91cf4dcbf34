package dev.posthorn.transports.googlepubsub;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.MemberSubscription;
import dev.posthorn.transport.Pauses;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Threads;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of one member of a subscriber: provides subscriptions, pulls, hands over, settles, extends deadlines. */
final class Member implements MemberSubscription.Member, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Member.class);
    private static final String PROVISION = "provision";
    private static final String PULL = "pull";
    private static final Duration LONGEST_WAIT = Duration.ofMillis(500);
    private static final Duration SHORT_WAIT = Duration.ofMillis(20);
    private static final Duration CLOSING = Duration.ofSeconds(2);

    /** What the thread works with. */
    record Parts(
            Links links,
            Provisioner provisioner,
            Settlements settlements,
            Leases leases,
            Handout handout,
            int prefetch) {}

    /** One to pull over, which ends first so that nothing more comes, and one for everything else. */
    record Links(Link pulling, Link calling) {}

    private final Subscriber subscriber;
    private final GooglePubSubConfig config;
    private final Parts parts;
    private final boolean roams;
    private final FailureLog failures;
    private final Semaphore wake;

    private final Map<String, Feed> feeds = new LinkedHashMap<>();
    private final Pauses pauses = Link.pauses();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private long provideAt = System.nanoTime();
    private volatile @Nullable String unprovided = "it has not connected yet";
    private volatile @Nullable String unreadable;
    private volatile boolean stopping;
    private volatile boolean ending;

    Member(Subscriber subscriber, GooglePubSubConfig config, Parts parts, boolean roams, Semaphore wake) {
        this.subscriber = subscriber;
        this.failures = new FailureLog(LOG, "Receiving", "subscriber=" + subscriber.name());
        this.config = config;
        this.parts = parts;
        this.roams = roams;
        this.wake = wake;
    }

    /** Returns when it has its subscriptions, or could not. */
    @Override
    public void start() throws InterruptedException {
        Threads.daemon("posthorn-pubsub-" + subscriber.name(), this).start();
        var unused = begun.await(config.timing().answer().toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void stop() throws InterruptedException {
        stopping = true;
        wake.release();
        var unused = stopped.await(config.timing().answer().toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Brings what is settled to Pub/Sub, gives back the rest and ends; waits for that within the time for an answer. */
    @Override
    public void end() throws InterruptedException {
        ending = true;
        wake.release();
        Duration longest = config.timing().answer().plus(CLOSING);
        var unused = ended.await(longest.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public Optional<String> trouble() {
        return Stream.of(
                        Optional.ofNullable(unprovided),
                        Optional.ofNullable(unreadable),
                        Optional.ofNullable(parts.settlements().trouble()))
                .flatMap(Optional::stream)
                .findFirst();
    }

    @Override
    public void run() {
        while (!ending) {
            try {
                runOnce();
                failures.recovered();
            } catch (InterruptedException stop) {
                ending = true;
            } catch (RuntimeException unexpected) {
                failures.failed(unexpected);
                pauses.failed();
            }
        }
        try {
            leave();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } finally {
            parts.links().calling().close();
            ended.countDown();
        }
    }

    private void runOnce() throws InterruptedException {
        lose();
        if (stopping) {
            stopFeeds();
        } else {
            provide();
            pull();
        }
        parts.settlements().flush();
        parts.leases().extend(List.copyOf(feeds.values()));
        if (stopping || !offer()) {
            rest();
        }
    }

    /** Makes or looks for what is needed, at first, when something is missing, and from time to time for new domains. */
    private void provide() throws InterruptedException {
        if (parts.settlements().takeIncomplete()) {
            provideAt = System.nanoTime();
        }
        if (System.nanoTime() - provideAt < 0 || !pauses.isOver()) {
            return;
        }
        try {
            parts.provisioner()
                    .provide(subscriber)
                    .forEach((name, domain) -> feeds.computeIfAbsent(name, any -> feed(name, domain)));
            provideAt = System.nanoTime() + (roams ? config.timing().discovery() : Duration.ofDays(1)).toNanos();
            pauses.succeeded();
            unprovided = null;
            failures.recovered(PROVISION);
            pull();
        } catch (StatusRuntimeException failed) {
            unprovided("Pub/Sub at " + config.endpoint().address() + " can not be used: " + Answers.reasonOf(failed));
        } catch (PosthornException missing) {
            unprovided(String.valueOf(missing.getMessage()));
        }
        begun.countDown();
    }

    private Feed feed(String subscription, String domain) {
        return new Feed(subscription, domain, parts.settlements(), wake::release);
    }

    private void unprovided(String reason) {
        failures.failed(PROVISION, reason);
        unprovided = reason;
        pauses.failed();
    }

    private void pull() {
        int each = Math.max(1, parts.prefetch() / Math.max(1, feeds.size()));
        String worst = null;
        for (Feed feed : feeds.values()) {
            feed.pull(parts.links().pulling(), each);
            Status trouble = feed.trouble();
            if (trouble != null) {
                worst = feed.subscription() + " can not be read: " + Answers.reasonOf(trouble);
                if (trouble.getCode() == Status.Code.NOT_FOUND) {
                    provideAt = System.nanoTime();
                }
            }
        }
        if (worst == null) {
            failures.recovered(PULL);
        } else {
            failures.lasting(PULL, worst);
        }
        unreadable = worst;
    }

    /** One of each subscription in turn. Answers whether there was anything. */
    private boolean offer() {
        boolean any = false;
        boolean more = true;
        while (more) {
            more = false;
            for (Feed feed : feeds.values()) {
                PubSubArrival next = parts.handout().room() > 0 ? feed.next() : null;
                if (next != null) {
                    parts.handout().offer(next.message(), next);
                    more = true;
                    any = true;
                }
            }
        }
        return any;
    }

    private void lose() {
        long now = System.nanoTime();
        List<PubSubArrival> lost = new ArrayList<>();
        feeds.values().forEach(feed -> lost.addAll(feed.lose(arrival -> arrival.isLost(now))));
        if (!lost.isEmpty()) {
            LOG.warn(
                    "Deadlines could not be extended; {} messages for {} are dropped, with those behind them in their keys, and"
                            + " will be redelivered.",
                    lost.size(),
                    subscriber.name());
            parts.handout().forget(lost::contains);
        }
    }

    private void rest() throws InterruptedException {
        Duration longest = parts.leases().untilDue();
        if (!stopping && parts.handout().room() == 0) {
            var unused = parts.handout().awaitRoom(1, SHORT_WAIT);
            return;
        }
        boolean waiting = parts.settlements().isEmpty() && trouble().isEmpty();
        Duration most = waiting ? LONGEST_WAIT : SHORT_WAIT;
        longest = longest.compareTo(most) < 0 ? longest : most;
        if (wake.tryAcquire(longest.toNanos(), TimeUnit.NANOSECONDS)) {
            wake.drainPermits();
        }
    }

    /** Nothing more comes, so what is given back can not come here again. */
    private void stopFeeds() {
        if (stopped.getCount() > 0) {
            feeds.values().forEach(Feed::stop);
            parts.links().pulling().close();
            stopped.countDown();
        }
    }

    private void leave() throws InterruptedException {
        stopFeeds();
        long end = System.nanoTime() + config.timing().answer().toNanos();
        while (!parts.settlements().isEmpty() && System.nanoTime() - end < 0) {
            parts.settlements().flush();
            var unused = wake.tryAcquire(SHORT_WAIT.toNanos(), TimeUnit.NANOSECONDS);
        }
        parts.settlements().flushBack();
        while (!parts.settlements().isAllBack() && System.nanoTime() - end < 0) {
            var unused = wake.tryAcquire(SHORT_WAIT.toNanos(), TimeUnit.NANOSECONDS);
        }
        if (!parts.settlements().isAllBack()) {
            LOG.warn(
                    "Subscriber {} was closed before Pub/Sub had all its settlements; what is missing comes again.",
                    subscriber.name());
        }
    }
}
