package dev.posthorn.transports.kafka;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What Kafka's own clients are told. The user's properties win, except where a guarantee of this transport hangs on one. */
final class ClientProperties {

    private static final Duration LONGEST_POLL_PAUSE = Duration.ofMinutes(5);
    private static final Pattern SECRET = Pattern.compile("password|secret|jaas|credential|token|keystore.key|key.pem");

    /** As in the settings of a login module. */
    private static final Pattern QUOTED = Pattern.compile("[\"']([^\"']+)[\"']");

    private final KafkaConfig config;

    ClientProperties(KafkaConfig config) {
        this.config = config;
        try {
            new ProducerConfig(producer());
            new ConsumerConfig(consumer(Subscriber.named("x"), "x"));
            new AdminClientConfig(admin());
        } catch (KafkaException wrong) {
            throw new PosthornException("The settings of the Kafka transport are wrong: " + reasonOf(wrong));
        }
    }

    /** A time-out of a part must leave time for another try within the whole. */
    private int half() {
        return millis(config.answerTime().dividedBy(2));
    }

    private static int millis(Duration time) {
        return (int) Math.min(Integer.MAX_VALUE, time.toMillis());
    }

    private Map<String, Object> common() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", config.servers());
        properties.put("request.timeout.ms", half());
        properties.put("socket.connection.setup.timeout.ms", half());
        properties.put("reconnect.backoff.ms", 50);
        properties.put("reconnect.backoff.max.ms", 1_000);
        properties.put("metadata.max.age.ms", config.discovery().toMillis());
        properties.put("enable.metrics.push", false);
        return properties;
    }

    Map<String, Object> producer() {
        Map<String, Object> properties = common();
        properties.put("max.block.ms", half());
        // A request has the answer time from when it is sent. A record also waits for its turn, and for a second
        // request.
        properties.put("request.timeout.ms", millis(config.answerTime()));
        properties.put("delivery.timeout.ms", millis(config.answerTime().multipliedBy(2)));
        properties.put("linger.ms", 0);
        properties.put("max.request.size", largestRecord() + KafkaConfig.Topics.HEADROOM);
        properties.putAll(config.client());
        properties.put("enable.idempotence", true);
        properties.put("acks", "all");
        properties.put("key.serializer", ByteArraySerializer.class);
        properties.put("value.serializer", ByteArraySerializer.class);
        return properties;
    }

    /** With its key, headers and framing. */
    int largestRecord() {
        return config.topics().maxMessageBytes() + KafkaConfig.Topics.HEADROOM;
    }

    Map<String, Object> consumer(Subscriber subscriber, String group) {
        Map<String, Object> properties = common();
        Duration waits = subscriber.limits().drainTime().multipliedBy(2);
        properties.put(
                "max.poll.interval.ms", millis(waits.compareTo(LONGEST_POLL_PAUSE) > 0 ? waits : LONGEST_POLL_PAUSE));
        properties.put("max.poll.records", subscriber.limits().prefetchOr(KafkaSubscription.PREFETCH));
        properties.put("default.api.timeout.ms", millis(config.answerTime()));
        properties.put("isolation.level", "read_committed");
        properties.putAll(config.client());
        if (!"consumer".equals(properties.get("group.protocol"))) {
            properties.putIfAbsent(
                    "partition.assignment.strategy",
                    List.of("org.apache.kafka.clients.consumer.CooperativeStickyAssignor"));
        }
        properties.put("group.id", group);
        properties.put("enable.auto.commit", false);
        // What appears after a subscriber came is all its own; "latest" is done when it comes, see GroupStart.
        properties.put("auto.offset.reset", "earliest");
        properties.put("allow.auto.create.topics", false);
        properties.put("key.deserializer", ByteArrayDeserializer.class);
        properties.put("value.deserializer", ByteArrayDeserializer.class);
        return properties;
    }

    Map<String, Object> admin() {
        Map<String, Object> properties = common();
        properties.put("default.api.timeout.ms", millis(config.answerTime()));
        properties.putAll(config.client());
        return properties;
    }

    /** A reason from an exception and what caused it, without anything secret. */
    String reasonOf(Throwable thrown) {
        StringBuilder reason = new StringBuilder(Outcome.reasonOf(thrown));
        Throwable cause = thrown.getCause();
        if (cause != null && cause != thrown) {
            reason.append(" (").append(Outcome.reasonOf(cause)).append(")");
        }
        return withoutSecrets(reason.toString());
    }

    private String withoutSecrets(String text) {
        String clean = text;
        for (Map.Entry<String, String> property : config.client().entrySet()) {
            if (SECRET.matcher(property.getKey().toLowerCase(Locale.ROOT)).find()) {
                Matcher quoted = QUOTED.matcher(property.getValue());
                while (quoted.find()) {
                    clean = clean.replace(quoted.group(1), "[hidden]");
                }
                clean = property.getValue().isEmpty() ? clean : clean.replace(property.getValue(), "[hidden]");
            }
        }
        return clean;
    }
}
