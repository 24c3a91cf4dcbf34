package dev.posthorn.transports.kafka;

import dev.posthorn.transport.Handout;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What a member has of its partitions: records that were polled and found no room yet, and how far each partition is.
 *
 * <p>Used by the polling thread. No partition takes more than half of the room, so that a key that stands still does not starve
 * the other partitions.
 */
final class Intake {

    private final Handout handout;
    private final DeadLetters deadLetters;
    private final int prefetch;
    private final Map<TopicPartition, Lane> lanes = new LinkedHashMap<>();

    Intake(Handout handout, DeadLetters deadLetters, int prefetch) {
        this.handout = handout;
        this.deadLetters = deadLetters;
        this.prefetch = prefetch;
    }

    /** One assigned partition. */
    private static final class Lane {

        final PartitionProgress progress;
        final Deque<ConsumerRecord<byte[], byte[]>> polled = new ArrayDeque<>();

        Lane(PartitionProgress progress) {
            this.progress = progress;
        }
    }

    void assign(TopicPartition partition, @Nullable OffsetAndMetadata committed) {
        lanes.put(partition, new Lane(new PartitionProgress(committed)));
    }

    /** Drops what waits here for a partition; Kafka has it still. */
    void clear(Collection<TopicPartition> partitions) {
        partitions.stream().flatMap(partition -> laneOf(partition)).forEach(lane -> lane.polled.clear());
    }

    void remove(Collection<TopicPartition> partitions) {
        partitions.forEach(lanes::remove);
    }

    private Stream<Lane> laneOf(TopicPartition partition) {
        return Stream.ofNullable(lanes.get(partition));
    }

    Set<TopicPartition> partitions() {
        return Set.copyOf(lanes.keySet());
    }

    void add(ConsumerRecords<byte[], byte[]> records) {
        for (TopicPartition partition : records.partitions()) {
            Lane lane = lanes.get(partition);
            if (lane != null) {
                lane.polled.addAll(records.records(partition));
            }
        }
    }

    /** Hands over what there is room for, one of each partition in turn. */
    void offer() {
        int room = handout.room();
        boolean any = true;
        while (room > 0 && any) {
            any = false;
            for (Lane lane : lanes.values()) {
                if (room > 0 && !lane.polled.isEmpty() && !isFull(lane)) {
                    room -= offer(lane) ? 1 : 0;
                    any = true;
                }
            }
        }
    }

    private boolean offer(Lane lane) {
        ConsumerRecord<byte[], byte[]> record = lane.polled.removeFirst();
        boolean isNew = lane.progress.take(record.offset(), record.leaderEpoch());
        if (isNew) {
            handout.offer(Records.message(record), new KafkaArrival(record, lane.progress, deadLetters));
        }
        return isNew;
    }

    private boolean isFull(Lane lane) {
        return lanes.size() > 1 && lane.progress.unsettled() >= Math.max(1, prefetch / 2);
    }

    boolean hasPolled() {
        return lanes.values().stream().anyMatch(lane -> !lane.polled.isEmpty());
    }

    /** Those from which nothing more shall be polled now. */
    Set<TopicPartition> full() {
        boolean noRoom = handout.room() == 0;
        Set<TopicPartition> full = new HashSet<>();
        lanes.forEach((partition, lane) -> {
            if (noRoom || !lane.polled.isEmpty() || isFull(lane)) {
                full.add(partition);
            }
        });
        return full;
    }

    /** What is to be committed of these. */
    Map<TopicPartition, OffsetAndMetadata> due(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> due = new HashMap<>();
        for (TopicPartition partition : partitions) {
            Lane lane = lanes.get(partition);
            OffsetAndMetadata offset = lane == null ? null : lane.progress.due();
            if (offset != null) {
                due.put(partition, offset);
            }
        }
        return due;
    }

    void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach((partition, offset) -> laneOf(partition).forEach(lane -> lane.progress.committed(offset)));
    }

    /** Waits until the dead letters of these partitions have arrived, or until the deadline. */
    void awaitDead(Collection<TopicPartition> partitions, long deadline) {
        try {
            for (TopicPartition partition : partitions) {
                Lane lane = lanes.get(partition);
                if (lane != null) {
                    lane.progress.awaitDead(deadline);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
