package dev.posthorn.transports.kafka;

import dev.posthorn.transport.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** One producer of Kafka's client library, with a meaning for each of its answers. */
final class SendingProducer implements AutoCloseable {

    private final Cluster cluster;
    private final Producer<byte[], byte[]> client;
    private final Consumer<SendingProducer> whenBroken;
    private final String clientId;
    /** By topic, once there is one: to look it up costs about as much as to send. */
    private final Map<String, Metric> totals = new ConcurrentHashMap<>();

    private final @Nullable Metric lostConnections;

    SendingProducer(Cluster cluster, Producer<byte[], byte[]> client, Consumer<SendingProducer> whenBroken) {
        this.cluster = cluster;
        this.client = client;
        this.whenBroken = whenBroken;
        this.clientId = client.metrics().keySet().stream()
                .map(name -> name.tags().get("client-id"))
                .filter(id -> id != null)
                .findFirst()
                .orElse("");
        this.lostConnections = ofTheProducer("connection-close-total");
    }

    Producer<byte[], byte[]> client() {
        return client;
    }

    /** Waits until the topic is known, or throws. */
    void find(String topic) {
        int partitions = client.partitionsFor(topic).size();
        cluster.keeper().seen(topic, partitions);
    }

    /** Called by the sender's thread. False if it did not even leave the producer: nothing else would. */
    boolean send(Parcel parcel, Destination destination) {
        Sent sent = new Sent(parcel, destination, sentSoFar(parcel.topic()), lostSoFar());
        try {
            var unused = client.send(parcel.record(), sent);
        } catch (RuntimeException failed) { // closed, interrupted, out of sequence: all are answers
            sent.onCompletion(null, failed);
        }
        return sent.wentOut;
    }

    /**
     * How many records of this topic ever left for a broker, retries included. If it has not grown between handing over a
     * record and its failure, that record can not have arrived; Kafka's client itself says only that time is over.
     */
    private double sentSoFar(String topic) {
        Metric total = totals.get(topic);
        if (total == null) {
            total = client.metrics()
                    .get(new MetricName(
                            "record-send-total",
                            "producer-topic-metrics",
                            "",
                            Map.of("client-id", clientId, "topic", topic)));
            if (total != null) {
                totals.put(topic, total);
            }
        }
        return valueOf(total);
    }

    /**
     * How many connections ended so far. One that ended since a record was handed over may have had it, with the answer lost;
     * that is not the record's fault, even if another connection stands by the time it fails. The producer itself ends one
     * on which an answer is late, and tries again on another.
     */
    private double lostSoFar() {
        return valueOf(lostConnections);
    }

    /** Whether there is no connection to any broker. */
    private boolean isCutOff() {
        Metric connections = ofTheProducer("connection-count");
        return connections != null && valueOf(connections) == 0;
    }

    private @Nullable Metric ofTheProducer(String metric) {
        return client.metrics().get(new MetricName(metric, "producer-metrics", "", Map.of("client-id", clientId)));
    }

    private static double valueOf(@Nullable Metric metric) {
        return metric != null && metric.metricValue() instanceof Double value ? value : 0;
    }

    /** What the producer tells about one record; on its own thread, or within send on the sender's. */
    private final class Sent implements Callback {

        private final Parcel parcel;
        private final Destination destination;
        private final double sentBefore;
        private final double lostBefore;
        private final AtomicBoolean told = new AtomicBoolean();
        private volatile boolean wentOut = true;

        Sent(Parcel parcel, Destination destination, double sentBefore, double lostBefore) {
            this.parcel = parcel;
            this.destination = destination;
            this.sentBefore = sentBefore;
            this.lostBefore = lostBefore;
        }

        @Override
        public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception failure) {
            if (!told.compareAndSet(false, true)) {
                return;
            }
            if (failure == null) {
                if (metadata != null) {
                    cluster.keeper().used(parcel.topic(), metadata.partition());
                }
                parcel.settle(Outcome.accepted());
            } else {
                failed(failure);
            }
        }

        private void failed(Exception failure) {
            boolean unsent = sentSoFar(parcel.topic()) == sentBefore;
            Answer answer = Answer.of(failure, unsent || lostSoFar() != lostBefore || isCutOff());
            if (answer.isBroken() && !(failure instanceof InterruptException)) {
                whenBroken.accept(SendingProducer.this);
            }
            if (answer.doubtsTheTopic()) {
                destination.doubt();
                wentOut = false;
            }
            parcel.settle(answer.outcome(
                    "topic " + parcel.topic() + ": " + cluster.properties().reasonOf(failure)));
        }
    }

    /** At once; what it has not delivered gets an answer. */
    @Override
    public void close() {
        client.close(Duration.ZERO);
    }
}
