package dev.posthorn.transports.kafka;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.Provision;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes topics or looks whether they are there, as {@link Provision} says, and watches how many partitions they have.
 *
 * <p>Waits for the broker: not for threads that must not. Its connection lives no longer than one question. Thread-safe.
 */
final class TopicKeeper {

    private static final Logger LOG = LoggerFactory.getLogger(TopicKeeper.class);

    private static final long BETWEEN_LOOKS_MILLIS = 10;

    private final KafkaConfig config;
    private final ClientProperties properties;
    private final Map<String, Integer> partitions = new ConcurrentHashMap<>();

    TopicKeeper(KafkaConfig config, ClientProperties properties) {
        this.config = config;
        this.properties = properties;
    }

    /** For events: finds these topics, or makes them, and tells which are missing. Throws if nobody can tell. */
    Set<String> keep(Collection<String> topics) {
        return keep(
                topics,
                DestinationKind.TOPIC,
                config.topics().maxMessageBytes() == KafkaConfig.Topics.STANDARD_BYTES
                        ? Optional.empty()
                        : Optional.of(properties.largestRecord()));
    }

    /** For dead letters, which have more headers than what they were. */
    Set<String> keepForDeadLetters(String topic) {
        return keep(
                Set.of(topic),
                DestinationKind.DEAD_LETTERS,
                Optional.of(properties.largestRecord() + KafkaConfig.Topics.HEADROOM));
    }

    String missing(Collection<String> topics) {
        return "on Kafka at " + config.servers() + " "
                + topics.stream()
                        .map(topic -> config.provision().missing(DestinationKind.TOPIC, topic))
                        .collect(Collectors.joining("; "));
    }

    /** Whether this transport has found it before. */
    boolean knows(String topic) {
        return partitions.containsKey(topic);
    }

    private Set<String> keep(Collection<String> topics, DestinationKind kind, Optional<Integer> maxMessageBytes) {
        if (config.provision().isOff() || topics.isEmpty()) {
            return Set.of();
        }
        try (Admin admin = Admin.create(properties.admin())) {
            Set<String> missing = look(admin, topics);
            Set<String> left = new TreeSet<>(missing);
            left.removeIf(topic -> config.provision().mayCreate(kind, topic));
            missing.removeAll(left);
            if (!missing.isEmpty()) {
                create(admin, missing, maxMessageBytes);
                left.addAll(awaitCreated(admin, missing));
            }
            topics.stream()
                    .filter(topic -> !left.contains(topic))
                    .forEach(topic -> config.provision().found(kind, topic));
            return left;
        } catch (ExecutionException failed) {
            throw unreachable(topics, failed.getCause() == null ? failed : failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw unreachable(topics, stopped);
        } catch (KafkaException failed) {
            throw unreachable(topics, failed);
        }
    }

    /** Not every broker knows at once what was made. Answers those that do not appear. */
    private Set<String> awaitCreated(Admin admin, Set<String> topics) throws ExecutionException, InterruptedException {
        Set<String> missing = topics;
        long deadline = System.nanoTime() + config.answerTime().toNanos();
        while (!missing.isEmpty() && deadline - System.nanoTime() > 0) {
            TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS);
            missing = look(admin, missing);
        }
        return missing;
    }

    private Set<String> look(Admin admin, Collection<String> topics) throws ExecutionException, InterruptedException {
        Set<String> missing = new TreeSet<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
                admin.describeTopics(topics).topicNameValues().entrySet()) {
            try {
                TopicDescription found = topic.getValue().get();
                awaitLeaders(admin, found);
                compare(found.name(), found.partitions().size());
            } catch (ExecutionException failed) {
                if (!(failed.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw failed;
                }
                missing.add(topic.getKey());
            }
        }
        return missing;
    }

    /**
     * Asks the leader of each partition for something. A broker is named as leader a moment before it knows, and refuses what
     * comes too early. Of two requests on their way to a new partition it may so refuse the first and take the second, and then
     * never takes the first any more, because its number is out of sequence.
     */
    private static void awaitLeaders(Admin admin, TopicDescription topic)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        topic.partitions()
                .forEach(one -> ends.put(new TopicPartition(topic.name(), one.partition()), OffsetSpec.latest()));
        admin.listOffsets(ends).all().get();
    }

    private PosthornException unreachable(Collection<String> topics, Throwable why) {
        return new PosthornException("Topic " + String.join(", ", topics) + " can not be "
                + (config.provision().creates() ? "created" : "looked up") + " on Kafka at "
                + config.servers() + ": " + properties.reasonOf(why));
    }

    private void create(Admin admin, Collection<String> topics, Optional<Integer> maxMessageBytes)
            throws ExecutionException, InterruptedException {
        Map<String, String> settings = new HashMap<>();
        maxMessageBytes.ifPresent(bytes -> settings.put("max.message.bytes", bytes.toString()));
        KafkaConfig.Topics wanted = config.topics();
        Map<String, KafkaFuture<Void>> made = admin.createTopics(topics.stream()
                        .map(topic -> new NewTopic(topic, wanted.partitions(), (short) wanted.replication())
                                .configs(settings))
                        .toList())
                .values();
        for (KafkaFuture<Void> one : made.values()) {
            try {
                one.get();
            } catch (ExecutionException failed) {
                if (!(failed.getCause() instanceof TopicExistsException)) {
                    throw failed;
                }
            }
        }
    }

    /** The number of partitions that the topic was found to have. */
    private void compare(String topic, int found) {
        if (!partitions.containsKey(topic) && found != config.topics().partitions()) {
            LOG.warn(
                    "Topic {} has {} partitions, but {} are configured. It is left as it is: to change the number would put"
                            + " the events of a key into another partition, out of their order.",
                    topic,
                    found,
                    config.topics().partitions());
        }
        seen(topic, found);
    }

    /** This topic has at least so many partitions; warns once when that is more than before. */
    void seen(String topic, int atLeast) {
        Integer before = partitions.get(topic);
        if (before == null || atLeast > before) {
            partitions.merge(topic, atLeast, Math::max);
            if (before != null) {
                LOG.warn(
                        "Topic {} had {} partitions and has now {} or more: events of a key that go to another partition"
                                + " than those before them may be handled out of order until the older ones are handled.",
                        topic,
                        before,
                        atLeast);
            }
        }
    }

    /** A record went to this partition. */
    void used(String topic, int partition) {
        Integer known = partitions.get(topic);
        if (known != null && partition >= known) {
            seen(topic, partition + 1);
        }
    }
}
