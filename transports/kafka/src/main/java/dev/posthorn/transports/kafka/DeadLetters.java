package dev.posthorn.transports.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a subscriber's rejected records go: as they came, with the reason in headers. Tries until Kafka has them. Thread-safe. */
final class DeadLetters implements AutoCloseable {

    static final String REASON = "posthorn-dead-reason";
    static final String SUBSCRIBER = "posthorn-dead-subscriber";
    static final String TOPIC = "posthorn-dead-topic";
    static final String PARTITION = "posthorn-dead-partition";
    static final String OFFSET = "posthorn-dead-offset";
    static final String AT = "posthorn-dead-at";

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
    private static final int LONGEST_REASON = 2_000;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final String subscriber;
    private final RecordSender sender;
    private final FailureLog failures;
    private volatile boolean closed;
    private volatile Optional<String> trouble = Optional.empty();

    DeadLetters(Cluster cluster, String subscriber) {
        this.cluster = cluster;
        this.subscriber = subscriber;
        this.failures = new FailureLog(LOG, "Sending dead letters", "subscriber=" + subscriber);
        this.sender = new RecordSender(cluster);
    }

    /** Why dead letters do not get through at present. */
    Optional<String> trouble() {
        return trouble;
    }

    /** Tells when it is there; until then its record must not be acknowledged. */
    void send(ConsumerRecord<byte[], byte[]> record, Map<String, String> about, Runnable whenThere) {
        try {
            String topic = cluster.names().deadLetterTopic(record.topic(), Records.headers(record));
            send(new Letter(topic, withReason(record, topic, about), whenThere, FIRST_PAUSE));
        } catch (PosthornException noName) {
            trouble = Optional.of(
                    "a rejected record of " + record.topic() + " can not become a dead letter: " + noName.getMessage());
            LOG.error("{}", trouble.get());
        }
    }

    private void send(Letter letter) {
        sender.send(List.of(letter));
    }

    private ProducerRecord<byte[], byte[]> withReason(
            ConsumerRecord<byte[], byte[]> record, String topic, Map<String, String> about) {
        Headers headers = new RecordHeaders(record.headers());
        about.forEach((name, value) ->
                put(headers, name, value.length() > LONGEST_REASON ? value.substring(0, LONGEST_REASON) : value));
        put(headers, SUBSCRIBER, subscriber);
        put(headers, TOPIC, record.topic());
        put(headers, PARTITION, Integer.toString(record.partition()));
        put(headers, OFFSET, Long.toString(record.offset()));
        if (!about.containsKey(AT)) {
            put(headers, AT, Instant.now().toString());
        }
        return new ProducerRecord<>(topic, null, null, record.key(), record.value(), headers);
    }

    private static void put(Headers headers, String name, String value) {
        headers.remove(name).add(name, value.getBytes(UTF_8));
    }

    private final class Letter implements Parcel {

        private final String topic;
        private final ProducerRecord<byte[], byte[]> record;
        private final Runnable whenThere;
        private final Duration pause;

        Letter(String topic, ProducerRecord<byte[], byte[]> record, Runnable whenThere, Duration pause) {
            this.topic = topic;
            this.record = record;
            this.whenThere = whenThere;
            this.pause = pause;
        }

        @Override
        public String topic() {
            return topic;
        }

        @Override
        public ProducerRecord<byte[], byte[]> record() {
            return record;
        }

        @Override
        public boolean isDeadLetter() {
            return true;
        }

        @Override
        public void settle(Outcome outcome) {
            if (outcome instanceof Outcome.Accepted) {
                trouble = Optional.empty();
                failures.recovered(topic);
                whenThere.run();
            } else if (!closed) {
                trouble = Optional.of("a rejected record does not get to " + topic + ": " + outcome);
                failures.failed(topic, outcome.toString());
                Duration longer = pause.multipliedBy(2);
                Letter again = new Letter(
                        topic, record, whenThere, longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE);
                Executor later = CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS);
                later.execute(() -> send(again));
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        sender.close();
    }
}
