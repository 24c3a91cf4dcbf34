package dev.posthorn.transports.kafka;

import dev.posthorn.transport.Arrival;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of a consumer group, from joining to leaving. All of it happens on one thread, that of the subscription.
 *
 * <p>It never stops polling, however slow handlers are: partitions without room are paused, so that Kafka sees a member that
 * lives. When a partition goes to another member it waits for the handlers that run, commits what is settled, and forgets the rest.
 */
final class Membership implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final Duration IDLE = Duration.ofMillis(100);
    private static final Duration BUSY = Duration.ofMillis(5);
    private static final Duration FOR_ROOM = Duration.ofMillis(20);
    private static final Duration BETWEEN_COMMITS = Duration.ofMillis(200);

    private final Cluster cluster;
    private final Subscriber subscriber;
    private final Handout handout;
    private final Intake intake;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Optional<Metric> connections;
    private long lastCommit = System.nanoTime();

    Membership(Cluster cluster, Subscriber subscriber, Handout handout, DeadLetters deadLetters) {
        this.cluster = cluster;
        this.subscriber = subscriber;
        this.handout = handout;
        this.intake = new Intake(handout, deadLetters, prefetch());
        this.consumer = new KafkaConsumer<>(
                cluster.properties().consumer(subscriber, cluster.names().groupOf(subscriber)));
        this.connections = consumer.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("connection-count")
                        && metric.getKey().group().equals("consumer-metrics"))
                .<Metric>map(Map.Entry::getValue)
                .findFirst();
        Rebalance rebalance = new Rebalance();
        cluster.names()
                .topicsOf(subscriber)
                .ifPresentOrElse(
                        topics -> consumer.subscribe(topics, rebalance),
                        () -> consumer.subscribe(cluster.names().patternOf(subscriber), rebalance));
    }

    private int prefetch() {
        return subscriber.limits().prefetchOr(KafkaSubscription.PREFETCH);
    }

    /** One round: hand over what there is room for, poll for more, commit what is due. */
    void runOnce() throws InterruptedException {
        intake.offer();
        pauseWhatIsFull();
        boolean noRoom = handout.room() == 0;
        intake.add(consumer.poll(noRoom ? Duration.ZERO : intake.hasPolled() ? BUSY : IDLE));
        if (noRoom) {
            handout.awaitRoom(Math.max(1, prefetch() / 4), FOR_ROOM);
        }
        if (System.nanoTime() - lastCommit > BETWEEN_COMMITS.toNanos()) {
            commit();
        }
    }

    private void pauseWhatIsFull() {
        Set<TopicPartition> full = intake.full();
        Set<TopicPartition> free = new HashSet<>(consumer.paused());
        free.removeAll(full);
        full.removeAll(consumer.paused());
        full.retainAll(consumer.assignment());
        if (!full.isEmpty()) {
            consumer.pause(full);
        }
        if (!free.isEmpty()) {
            consumer.resume(free);
        }
    }

    private void commit() {
        lastCommit = System.nanoTime();
        Map<TopicPartition, OffsetAndMetadata> due = intake.due(intake.partitions());
        if (!due.isEmpty()) {
            // What fails is due again the next time.
            consumer.commitAsync(due, (offsets, failure) -> {
                if (failure == null) {
                    intake.committed(offsets);
                } else {
                    LOG.debug("Subscriber {} could not commit, and will again", subscriber.name(), failure);
                }
            });
        }
    }

    /** Why nothing can come at present: Kafka's client itself only waits. */
    Optional<String> outage() {
        boolean none = connections
                .filter(count -> count.metricValue() instanceof Double value && value < 1)
                .isPresent();
        return none
                ? Optional.of("no connection to Kafka at " + cluster.config().servers())
                : Optional.empty();
    }

    /** False if a rebalance stands in the way, which goes on with the next poll only. */
    private boolean commitNow(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> due = intake.due(partitions);
        try {
            if (!due.isEmpty()) {
                consumer.commitSync(due, cluster.config().answerTime());
                LOG.debug("Subscriber {} committed {}", subscriber.name(), due);
                intake.committed(due);
            }
        } catch (RebalanceInProgressException later) {
            LOG.debug("Subscriber {} can not commit during a rebalance", subscriber.name());
            return false;
        } catch (KafkaException failed) {
            LOG.warn(
                    "Subscriber {} could not commit {} of its partitions; what it handled there since the last commit comes"
                            + " again: {}",
                    subscriber.name(),
                    due.size(),
                    cluster.properties().reasonOf(failed));
        }
        return true;
    }

    /** Commits what is settled and leaves the group; what is not goes to other members. */
    @Override
    public void close() {
        try {
            long deadline = deadlineIn(cluster.config().answerTime());
            intake.awaitDead(intake.partitions(), deadline);
            while (!commitNow(intake.partitions()) && deadline - System.nanoTime() > 0) {
                consumer.pause(consumer.assignment());
                consumer.poll(BUSY);
            }
        } finally {
            intake.remove(intake.partitions()); // nothing more to do about them when Kafka takes them back
            handout.forget(arrival -> true);
            consumer.close(CloseOptions.timeout(cluster.config().answerTime()));
        }
    }

    private static long deadlineIn(Duration time) {
        return System.nanoTime() + time.toNanos();
    }

    /** What happens when partitions come and go. Called within poll and close. */
    private final class Rebalance implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            LOG.debug("Subscriber {} was assigned {}", subscriber.name(), partitions);
            if (!partitions.isEmpty()) {
                Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(Set.copyOf(partitions));
                partitions.forEach(partition -> intake.assign(partition, committed.get(partition)));
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            LOG.debug("Subscriber {} gives away {}", subscriber.name(), partitions);
            long deadline = deadlineIn(subscriber.limits().drainTime());
            intake.clear(partitions);
            handout.forget(of(partitions), subscriber.limits().drainTime());
            intake.awaitDead(partitions, deadline);
            if (!commitNow(partitions)) {
                LOG.warn(
                        "Subscriber {} lost partitions before it could commit; some events come again.",
                        subscriber.name());
            }
            intake.remove(partitions);
        }

        /** Somebody else has them already. */
        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            LOG.debug("Subscriber {} has lost {}", subscriber.name(), partitions);
            intake.clear(partitions);
            handout.forget(of(partitions));
            intake.remove(partitions);
        }

        private Predicate<Arrival> of(Collection<TopicPartition> partitions) {
            Set<TopicPartition> ended = Set.copyOf(partitions);
            return arrival -> arrival instanceof KafkaArrival mine && ended.contains(mine.partition());
        }
    }
}
