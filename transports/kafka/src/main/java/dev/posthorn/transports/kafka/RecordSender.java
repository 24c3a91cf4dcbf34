package dev.posthorn.transports.kafka;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Threads;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records through one producer, which it replaces when that can not go on.
 *
 * <p>A producer blocks whoever sends while it looks for a topic or has no memory left. So records are handed to a thread of
 * this sender's own, and go from there only to topics that were found to be there; the finding is done by yet other threads.
 * If the producer blocks all the same, for its time-out at most, every topic is looked at again before anything more is
 * sent, and what comes meanwhile waits for that look, or is unavailable. Thread-safe.
 */
final class RecordSender implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RecordSender.class);
    private static final String CLOSED = "the publisher is closed";

    private final Cluster cluster;
    private final ThreadPoolExecutor thread;
    private final ExecutorService finders = Executors.newCachedThreadPool(daemon("posthorn-kafka-topics"));
    /** Touched by the thread only, and by whoever closes when that has ended. */
    private final Map<String, Destination> destinations = new HashMap<>();

    private final Object lock = new Object();
    /** Changed under the lock. */
    private volatile @Nullable SendingProducer current;

    private volatile boolean closed;

    RecordSender(Cluster cluster) {
        this.cluster = cluster;
        this.thread = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemon("posthorn-kafka-send"));
    }

    private static ThreadFactory daemon(String name) {
        return work -> Threads.daemon(name, work);
    }

    /** Never waits; each is settled within five times the answer time. */
    void send(List<Parcel> parcels) {
        Batch batch = new Batch(parcels);
        try {
            thread.execute(batch);
        } catch (RejectedExecutionException ended) {
            batch.giveUp(CLOSED);
        }
    }

    /** What was handed over in one call. */
    private final class Batch implements Runnable {

        private final Collection<Parcel> parcels;
        private final long since = System.nanoTime();

        Batch(Collection<Parcel> parcels) {
            this.parcels = parcels;
        }

        @Override
        public void run() {
            Duration age = Duration.ofNanos(System.nanoTime() - since);
            if (age.compareTo(cluster.config().answerTime()) > 0) {
                giveUp("it was not sent within " + cluster.config().answerTime()
                        + ", for others before it did not go out");
            } else {
                parcels.forEach(RecordSender.this::deliver);
            }
        }

        void giveUp(String reason) {
            parcels.forEach(parcel -> parcel.settle(Outcome.unavailable(reason)));
        }
    }

    private void deliver(Parcel parcel) {
        Destination destination = destinations.get(parcel.topic());
        if (destination == null) {
            destination = new Destination(parcel.topic(), parcel.isDeadLetter());
            destinations.put(parcel.topic(), destination);
        }
        SendingProducer producer = current;
        if (closed) {
            parcel.settle(Outcome.unavailable(CLOSED));
        } else if (destination.isReady() && producer != null) {
            if (!producer.send(parcel, destination)) {
                destinations.values().forEach(Destination::doubt);
            }
        } else {
            if (destination.isReady()) {
                destination.doubt(); // it was, with a producer that is no more
            }
            if (!destination.isReady() && destination.await(parcel)) {
                find(destination);
            }
        }
    }

    private void find(Destination destination) {
        finders.execute(() -> {
            String reason = lookFor(destination);
            try {
                thread.execute(() -> answered(destination, reason));
            } catch (RejectedExecutionException ended) {
                LOG.debug("Closed while looking for {}", destination.topic());
            }
        });
    }

    /** Empty if records can go there now, otherwise why not. */
    private String lookFor(Destination destination) {
        String topic = destination.topic();
        try {
            if (destination.wasAsked() || !cluster.keeper().knows(topic)) {
                Set<String> missing = destination.isForDeadLetters()
                        ? cluster.keeper().keepForDeadLetters(topic)
                        : cluster.keeper().keep(Set.of(topic));
                if (!missing.isEmpty()) {
                    return cluster.keeper().missing(missing);
                }
            }
            findWith(producer(), topic);
            return "";
        } catch (RuntimeException failed) { // whatever it is, the topic can not be used, and the reason says why
            return "topic " + topic + " can not be used on Kafka at "
                    + cluster.config().servers() + ": " + cluster.properties().reasonOf(failed);
        }
    }

    /** A producer that was not let in never tries again. */
    private void findWith(SendingProducer producer, String topic) {
        try {
            producer.find(topic);
        } catch (KafkaException failed) {
            if (Answer.of(failed, true).isBroken()) {
                replace(producer);
            }
            throw failed;
        }
    }

    private void answered(Destination destination, String reason) {
        if (reason.isEmpty()) {
            destination.found().forEach(this::deliver);
        } else {
            destination.failed(reason);
        }
    }

    /** The one in use, or another if that can not go on. */
    private SendingProducer producer() {
        synchronized (lock) {
            SendingProducer producer = current;
            if (producer == null) {
                producer = new SendingProducer(
                        cluster, new KafkaProducer<>(cluster.properties().producer()), this::replace);
                if (closed) {
                    producer.close();
                }
                current = producer;
            }
            return producer;
        }
    }

    /** This producer is at its end; the next record makes another. From any thread. */
    private void replace(SendingProducer broken) {
        synchronized (lock) {
            if (current != broken || closed) {
                return;
            }
            current = null;
        }
        LOG.warn("The producer can not go on and is replaced.");
        finders.execute(broken::close);
    }

    /** For tests: what Kafka's client library sends with. */
    @Nullable
    Producer<byte[], byte[]> inUse() {
        SendingProducer producer = current;
        return producer == null ? null : producer.client();
    }

    /** Settles all that is left. */
    @Override
    public void close() {
        closed = true;
        for (Runnable never : thread.shutdownNow()) {
            if (never instanceof Batch batch) {
                batch.giveUp(CLOSED);
            }
        }
        boolean interrupted = !awaitEnd();
        SendingProducer producer;
        synchronized (lock) {
            producer = current;
        }
        if (producer != null) {
            producer.close(); // without the lock, which answers to what it gives up ask for, on its own thread
        }
        finders.shutdownNow();
        destinations.values().forEach(destination -> destination.giveUp(CLOSED));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitEnd() {
        try {
            boolean ended =
                    thread.awaitTermination(cluster.config().answerTime().toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                LOG.warn("Kafka's producer still blocks after it was interrupted.");
            }
            return true;
        } catch (InterruptedException stopped) {
            return false;
        }
    }
}
