package dev.posthorn.transports.kafka;

import dev.posthorn.event.PosthornException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Finds topics that no consumer group reads: none has committed an offset there, and no member is assigned to it. */
final class TopicSubscribers {

    private final ClientProperties properties;

    TopicSubscribers(ClientProperties properties) {
        this.properties = properties;
    }

    Set<String> unsubscribed(Set<String> topics) {
        try (Admin admin = Admin.create(properties.admin())) {
            Set<String> left = existing(admin, topics);
            Collection<String> groups = admin.listGroups(ListGroupsOptions.forConsumerGroups()).all().get().stream()
                    .map(GroupListing::groupId)
                    .toList();
            if (!left.isEmpty() && !groups.isEmpty()) {
                left.removeAll(committed(admin, groups));
                left.removeAll(assigned(admin, groups));
            }
            return left;
        } catch (ExecutionException failed) {
            throw unknown(failed.getCause() == null ? failed : failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw unknown(stopped);
        } catch (KafkaException failed) {
            throw unknown(failed);
        }
    }

    private static Set<String> existing(Admin admin, Set<String> topics)
            throws ExecutionException, InterruptedException {
        Set<String> found = new TreeSet<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
                admin.describeTopics(topics).topicNameValues().entrySet()) {
            try {
                found.add(topic.getValue().get().name());
            } catch (ExecutionException failed) {
                if (!(failed.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw failed;
                }
            }
        }
        return found;
    }

    private static Set<String> committed(Admin admin, Collection<String> groups)
            throws ExecutionException, InterruptedException {
        Map<String, ListConsumerGroupOffsetsSpec> all = new HashMap<>();
        groups.forEach(group -> all.put(group, new ListConsumerGroupOffsetsSpec()));
        ListConsumerGroupOffsetsResult offsets = admin.listConsumerGroupOffsets(all);
        Set<String> topics = new TreeSet<>();
        for (String group : groups) {
            offsets.partitionsToOffsetAndMetadata(group).get().forEach((partition, offset) -> {
                if (offset != null) {
                    topics.add(partition.topic());
                }
            });
        }
        return topics;
    }

    private static Set<String> assigned(Admin admin, Collection<String> groups)
            throws ExecutionException, InterruptedException {
        Set<String> topics = new TreeSet<>();
        for (ConsumerGroupDescription group :
                admin.describeConsumerGroups(groups).all().get().values()) {
            group.members()
                    .forEach(member -> member.assignment().topicPartitions().stream()
                            .map(TopicPartition::topic)
                            .forEach(topics::add));
        }
        return topics;
    }

    private PosthornException unknown(Throwable why) {
        return new PosthornException("Kafka does not say who subscribes: " + properties.reasonOf(why));
    }
}
