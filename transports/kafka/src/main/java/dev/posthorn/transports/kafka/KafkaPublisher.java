package dev.posthorn.transports.kafka;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Publishes through one idempotent producer.
 *
 * <p>Runs are of length 1: after a batch has run out of time, the producer goes on with the one behind it.
 */
final class KafkaPublisher implements Publisher {

    private final Cluster cluster;
    private final RecordSender sender;
    private final Consumer<KafkaPublisher> whenClosed;

    KafkaPublisher(Cluster cluster, RecordSender sender, Consumer<KafkaPublisher> whenClosed) {
        this.cluster = cluster;
        this.sender = sender;
        this.whenClosed = whenClosed;
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        List<Parcel> parcels = new ArrayList<>(publications.size());
        int largest = cluster.config().topics().maxMessageBytes();
        for (Publication publication : publications) {
            if (publication.event().payloadSize() > largest) {
                publication.settle(Outcome.refused("the payload has "
                        + publication.event().payloadSize() + " bytes, and this transport takes " + largest));
                continue;
            }
            try {
                EventMessage.requireReadable(publication.event());
                parcels.add(new OfEvent(publication, cluster.names().topicOf(publication.event())));
            } catch (PosthornException impossible) {
                publication.settle(Outcome.refused(String.valueOf(impossible.getMessage())));
            }
        }
        if (!parcels.isEmpty()) {
            sender.send(parcels);
        }
    }

    /** The producer in use, for tests that take it away. */
    RecordSender sender() {
        return sender;
    }

    @Override
    public void close() {
        sender.close();
        whenClosed.accept(this);
    }

    private record OfEvent(Publication publication, String topic) implements Parcel {

        @Override
        public ProducerRecord<byte[], byte[]> record() {
            return Records.of(publication.event(), topic);
        }

        @Override
        public void settle(Outcome outcome) {
            publication.settle(outcome);
        }

        @Override
        public boolean isDeadLetter() {
            return false;
        }
    }
}
