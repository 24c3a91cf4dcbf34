package dev.posthorn.transports.kafka;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Provisioning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which Kafka, and how it is used. Immutable; its text has no values of client properties, for they may be secret.
 *
 * @param servers host and port of some brokers, separated by commas
 * @param names what topics are called; the default is {@code {prefix}-events-{domain}} and {@code {prefix}-dlq-{domain}}
 * @param provision what to do about missing topics. Default {@link Provision#CREATE}
 * @param topics how topics are made
 * @param answerTime how long an event may wait for Kafka's answer, and anything else for one. Default 10 seconds. Too low:
 *     outcomes are unknown whenever a leader moves, and events come twice. Too high: an outage is noticed late
 * @param discovery how often clients ask for new topics and partitions. Default 5 seconds. Too low: many requests on a
 *     large cluster. Too high: a subscriber to all domains comes late to a new one
 * @param start where a subscriber begins that was never there before. Default {@link Start#EARLIEST}
 * @param client properties for all of Kafka's clients, such as TLS and credentials; they win over what is set here
 */
public record KafkaConfig(
        String servers,
        Names names,
        Provisioning provision,
        Topics topics,
        Duration answerTime,
        Duration discovery,
        Start start,
        Map<String, String> client) {

    private static final Duration SHORTEST_ANSWER = Duration.ofMillis(100);

    /** Where a new subscriber begins. */
    public enum Start {
        /** With all that is kept. */
        EARLIEST,
        /** With what is published from now on; topics that appear later are read from their beginning. */
        LATEST
    }

    /**
     * How topics are made. An existing one stays as it is.
     *
     * @param partitions default 12. Too low: few members of a subscriber can share. It can not be changed later without
     *     breaking the order of keys
     * @param replication default {@link #BROKERS_DEFAULT}. With 1 a lost disk loses events
     * @param maxMessageBytes the largest payload. Default 1,000,000, which every broker takes unless told otherwise. Too
     *     high: batches of that size in the memory of brokers and members
     */
    public record Topics(int partitions, int replication, int maxMessageBytes) {

        /** Leaves it to the broker's own setting. */
        public static final int BROKERS_DEFAULT = -1;

        static final int STANDARD_BYTES = 1_000_000;
        /** For headers, key and framing; with it the standard size is exactly what brokers take by default. */
        static final int HEADROOM = (1 << 20) - STANDARD_BYTES;

        public static final Topics STANDARD = new Topics(12, BROKERS_DEFAULT, STANDARD_BYTES);

        private void check(List<String> faults) {
            if (partitions < 1) {
                faults.add("topics.partitions is " + partitions + " and must be at least 1");
            }
            if (replication != BROKERS_DEFAULT && (replication < 1 || replication > Short.MAX_VALUE)) {
                faults.add("topics.replication is " + replication + " and must be -1 or at least 1");
            }
            if (maxMessageBytes < 1 || maxMessageBytes > Integer.MAX_VALUE - 2 * HEADROOM) {
                faults.add("topics.max-message-bytes is " + maxMessageBytes + " and must be 1 to "
                        + (Integer.MAX_VALUE - 2 * HEADROOM));
            }
        }
    }

    public KafkaConfig {
        client = Map.copyOf(client);
        List<String> faults = new ArrayList<>();
        if (servers.isBlank()) {
            faults.add("servers is empty");
        }
        topics.check(faults);
        if (answerTime.compareTo(SHORTEST_ANSWER) < 0) {
            faults.add("answer-time is " + answerTime + " and must be at least " + SHORTEST_ANSWER);
        }
        if (discovery.isNegative() || discovery.isZero()) {
            faults.add("discovery is " + discovery + " and must be positive");
        }
        if (!faults.isEmpty()) {
            throw new PosthornException("The settings of the Kafka transport are wrong: " + String.join("; ", faults));
        }
    }

    /** The defaults; {@code prefix} keeps several installations apart on one cluster. */
    public static KafkaConfig of(String servers, String prefix) {
        return new KafkaConfig(
                servers,
                Names.withPrefix(prefix),
                Provisioning.STANDARD,
                Topics.STANDARD,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Start.EARLIEST,
                Map.of());
    }

    public KafkaConfig names(Names names) {
        return new KafkaConfig(servers, names, provision, topics, answerTime, discovery, start, client);
    }

    public KafkaConfig provision(Provision mode) {
        return provision(provision.mode(mode));
    }

    public KafkaConfig provision(Provisioning provision) {
        return new KafkaConfig(servers, names, provision, topics, answerTime, discovery, start, client);
    }

    public KafkaConfig topics(Topics topics) {
        return new KafkaConfig(servers, names, provision, topics, answerTime, discovery, start, client);
    }

    public KafkaConfig answerTime(Duration answerTime) {
        return new KafkaConfig(servers, names, provision, topics, answerTime, discovery, start, client);
    }

    public KafkaConfig discovery(Duration discovery) {
        return new KafkaConfig(servers, names, provision, topics, answerTime, discovery, start, client);
    }

    public KafkaConfig start(Start start) {
        return new KafkaConfig(servers, names, provision, topics, answerTime, discovery, start, client);
    }

    public KafkaConfig client(Map<String, String> client) {
        return new KafkaConfig(servers, names, provision, topics, answerTime, discovery, start, client);
    }

    /** With one client property more. */
    public KafkaConfig client(String name, String value) {
        Map<String, String> more = new TreeMap<>(client);
        more.put(name, value);
        return client(more);
    }

    public KafkaTransport build() {
        return new KafkaTransport(this);
    }

    @Override
    public String toString() {
        return "KafkaConfig[" + servers + ", prefix " + names.prefix() + ", provision " + provision + ", " + topics
                + ", answer time " + answerTime + ", discovery " + discovery + ", start " + start
                + ", client properties " + new TreeSet<>(client.keySet()) + "]";
    }
}
