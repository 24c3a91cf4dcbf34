package dev.posthorn.transports.kafka;

import dev.posthorn.transport.Outcome;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** What an exception of the producer means for the event, for its topic and for the producer. */
enum Answer {

    /** Kafka does not take this record, whenever it comes. */
    REFUSED,
    /** Kafka, or this topic, can not be used; the record was not written, unless a connection ended with its answer. */
    UNAVAILABLE,
    /** It may have been written. */
    UNKNOWN,
    /** The same, and nothing more goes through this producer: it needs another. */
    UNKNOWN_AND_BROKEN,
    /** Kafka can not be used, and nothing more goes through this producer. */
    UNAVAILABLE_AND_BROKEN;

    /**
     * {@code outage}: since the record was handed over nothing at all went to its topic, or a connection was lost,
     * or no broker is connected now.
     */
    static Answer of(Throwable failure, boolean outage) {
        if (failure instanceof RecordTooLargeException
                || failure instanceof RecordBatchTooLargeException
                || failure instanceof InvalidRecordException) {
            return REFUSED;
        }
        if (failure instanceof AuthenticationException || failure instanceof ClusterAuthorizationException) {
            return UNAVAILABLE_AND_BROKEN;
        }
        if (failure instanceof TopicAuthorizationException
                || failure instanceof UnknownTopicOrPartitionException
                || failure instanceof InvalidTopicException
                || failure instanceof NotEnoughReplicasException) {
            return UNAVAILABLE;
        }
        if (failure instanceof TimeoutException || failure instanceof RetriableException) {
            return outage ? UNAVAILABLE : UNKNOWN;
        }
        // Out of sequence, fenced, an epoch that was taken away, closed: all of them end a producer.
        return outage ? UNAVAILABLE_AND_BROKEN : UNKNOWN_AND_BROKEN;
    }

    boolean isBroken() {
        return this == UNKNOWN_AND_BROKEN || this == UNAVAILABLE_AND_BROKEN;
    }

    /** Whether to look at the topic again before anything else is sent there. */
    boolean doubtsTheTopic() {
        return this != REFUSED;
    }

    Outcome outcome(String reason) {
        return switch (this) {
            case REFUSED -> Outcome.refused(reason);
            case UNAVAILABLE, UNAVAILABLE_AND_BROKEN -> Outcome.unavailable(reason);
            case UNKNOWN, UNKNOWN_AND_BROKEN -> Outcome.unknown(reason);
        };
    }
}
