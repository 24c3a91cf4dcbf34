package dev.posthorn.transports.kafka;

import dev.posthorn.transport.Arrival;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** One record that a member has taken. */
final class KafkaArrival implements Arrival {

    private final ConsumerRecord<byte[], byte[]> record;
    private final PartitionProgress progress;
    private final DeadLetters deadLetters;

    KafkaArrival(ConsumerRecord<byte[], byte[]> record, PartitionProgress progress, DeadLetters deadLetters) {
        this.record = record;
        this.progress = progress;
        this.deadLetters = deadLetters;
    }

    TopicPartition partition() {
        return new TopicPartition(record.topic(), record.partition());
    }

    /** Kafka counts nothing; what is handed over again from here is counted there. */
    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public Map<String, String> metadata() {
        return Map.of(
                "topic", record.topic(),
                "partition", Integer.toString(record.partition()),
                "offset", Long.toString(record.offset()),
                "timestamp", Long.toString(record.timestamp()));
    }

    @Override
    public void done() {
        progress.done(record.offset(), record.leaderEpoch());
    }

    @Override
    public void reject(String reason, Map<String, String> about) {
        progress.dying();
        Map<String, String> all = new HashMap<>(about);
        all.put(DeadLetters.REASON, reason);
        deadLetters.send(record, all, () -> progress.dead(record.offset(), record.leaderEpoch()));
    }

    /** Kafka brings nothing again to a member that lives. */
    @Override
    public boolean retry(Duration after, String reason) {
        return false;
    }

    /** It is open in the next commit, which is all that another member needs. */
    @Override
    public void giveBack() {}
}
