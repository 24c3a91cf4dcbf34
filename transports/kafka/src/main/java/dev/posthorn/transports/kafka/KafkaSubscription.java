package dev.posthorn.transports.kafka;

import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Threads;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member that joins its group, and joins it anew whenever it fell out. */
final class KafkaSubscription implements Subscription {

    /** Unless the subscriber says otherwise. */
    static final int PREFETCH = 200;

    private static final Logger LOG = LoggerFactory.getLogger(KafkaSubscription.class);
    private static final String JOIN = "join";
    private static final String OUTAGE = "outage";
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final Cluster cluster;
    private final Subscriber subscriber;
    private final Handout handout;
    private final DeadLetters deadLetters;
    private final Consumer<KafkaSubscription> whenClosed;
    private final Optional<Set<String>> topics;
    private final FailureLog failures;
    private final Thread thread;
    private final CountDownLatch placed = new CountDownLatch(1);
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile Optional<String> outage = Optional.of("it has not connected to Kafka yet");
    private Set<String> missing = Set.of();
    private long nextLook = System.nanoTime();

    KafkaSubscription(
            Cluster cluster, Subscriber subscriber, Receiver receiver, Consumer<KafkaSubscription> whenClosed) {
        this.cluster = cluster;
        this.subscriber = subscriber;
        this.whenClosed = whenClosed;
        this.topics = cluster.names().topicsOf(subscriber);
        this.failures = new FailureLog(LOG, "Receiving", "subscriber=" + subscriber.name());
        this.deadLetters = new DeadLetters(cluster, cluster.names().groupOf(subscriber));
        this.handout = new Handout(subscriber, receiver, PREFETCH);
        this.thread = Threads.daemon("posthorn-kafka-poll-" + subscriber.name(), this::run);
    }

    /** Starts. If it is to begin with what is published from now on, waits until Kafka knows where that is. */
    void begin() {
        thread.start();
        if (cluster.config().start() == KafkaConfig.Start.LATEST) {
            awaitQuietly(placed, cluster.config().answerTime().multipliedBy(2));
        }
    }

    private void run() {
        Duration pause = FIRST_PAUSE;
        while (!isStopping()) {
            try (Membership member = join()) {
                while (!isStopping()) {
                    member.runOnce();
                    lookForMissing();
                    outage = member.outage().or(this::reasonOfMissing);
                    logOutage();
                    pause = FIRST_PAUSE;
                }
            } catch (InterruptedException stopped) {
                return;
            } catch (RuntimeException failed) { // also what the client library did not foresee: join anew
                outage = Optional.of(cluster.properties().reasonOf(failed));
                failures.failed(JOIN, failed);
                placed.countDown();
                awaitQuietly(stopping, pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    private void logOutage() {
        failures.recovered(JOIN);
        if (outage.isPresent()) {
            failures.lasting(OUTAGE, outage.get());
        } else {
            failures.recovered(OUTAGE);
        }
    }

    private boolean isStopping() {
        return stopping.getCount() == 0;
    }

    private Membership join() {
        missing = cluster.keeper().keep(topics.orElse(Set.of()));
        if (cluster.config().start() == KafkaConfig.Start.LATEST) {
            GroupStart.afterAllThatIsThere(cluster, subscriber);
        }
        placed.countDown();
        return new Membership(cluster, subscriber, handout, deadLetters);
    }

    private void lookForMissing() {
        if (!missing.isEmpty() && nextLook - System.nanoTime() < 0) {
            missing = cluster.keeper().keep(missing);
            nextLook = System.nanoTime() + cluster.config().discovery().toNanos();
        }
    }

    private Optional<String> reasonOfMissing() {
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(cluster.keeper().missing(missing));
    }

    @Override
    public Subscriber subscriber() {
        return subscriber;
    }

    @Override
    public Status status() {
        return handout.status(outage.or(deadLetters::trouble));
    }

    /** The polling goes on while handlers end, so that the group does not take their partitions away. */
    @Override
    public void close() {
        handout.close();
        stopping.countDown();
        try {
            // For dead letters, for the commit and for leaving, each within the answer time.
            thread.join(cluster.config().answerTime().multipliedBy(4).toMillis());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            thread.interrupt();
        }
        deadLetters.close();
        whenClosed.accept(this);
    }

    private static void awaitQuietly(CountDownLatch latch, Duration longest) {
        try {
            if (latch.await(longest.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
