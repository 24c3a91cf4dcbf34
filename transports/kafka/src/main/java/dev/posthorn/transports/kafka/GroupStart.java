package dev.posthorn.transports.kafka;

import dev.posthorn.transport.Subscriber;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * Puts a subscriber that was never there before behind what is published so far.
 *
 * <p>Kafka's own setting for that decides whenever a member first reads a partition, and so misses what was published between
 * subscribing and that moment, and the first events of every new topic.
 */
final class GroupStart {

    private GroupStart() {}

    /** Does nothing if the group has committed anything. Waits for the broker. */
    static void afterAllThatIsThere(Cluster cluster, Subscriber subscriber) {
        String group = cluster.names().groupOf(subscriber);
        Map<String, Object> properties = cluster.properties().consumer(subscriber, group);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
            Set<TopicPartition> partitions = partitions(consumer, wanted(cluster, subscriber));
            boolean isNew = consumer.committed(partitions).values().stream().allMatch(offset -> offset == null);
            if (isNew && !partitions.isEmpty()) {
                consumer.assign(partitions);
                Map<TopicPartition, OffsetAndMetadata> ends = new HashMap<>();
                consumer.endOffsets(partitions)
                        .forEach((partition, offset) -> ends.put(partition, new OffsetAndMetadata(offset)));
                consumer.commitSync(ends);
            }
        } catch (CommitFailedException notAlone) {
            // Another member came first and did this.
            return;
        }
    }

    private static Predicate<String> wanted(Cluster cluster, Subscriber subscriber) {
        return cluster.names()
                .topicsOf(subscriber)
                .<Predicate<String>>map(topics -> topics::contains)
                .orElseGet(() -> cluster.names().patternOf(subscriber).asMatchPredicate());
    }

    private static Set<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer, Predicate<String> wanted) {
        Set<TopicPartition> partitions = new HashSet<>();
        consumer.listTopics().values().stream()
                .flatMap(Collection::stream)
                .filter((PartitionInfo info) -> wanted.test(info.topic()))
                .forEach(info -> partitions.add(new TopicPartition(info.topic(), info.partition())));
        return partitions;
    }
}
