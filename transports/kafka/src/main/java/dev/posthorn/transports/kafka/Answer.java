package dev.posthorn.transports.kafka;

import dev.posthorn.transport.Outcome;
import java.util.Set;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.BrokerNotAvailableException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.CoordinatorLoadInProgressException;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.FencedLeaderEpochException;
import org.apache.kafka.common.errors.InconsistentTopicIdException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.errors.NotCoordinatorException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.ReplicaNotAvailableException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownLeaderEpochException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

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

    /** Kafka does not take such a record. */
    private static final Set<Class<? extends ApiException>> OF_THE_RECORD =
            Set.of(RecordTooLargeException.class, RecordBatchTooLargeException.class, InvalidRecordException.class);

    /** Kafka does not let this producer in, or does not speak its language. */
    private static final Set<Class<? extends ApiException>> SHUT_OUT = Set.of(
            AuthenticationException.class,
            ClusterAuthorizationException.class,
            SecurityDisabledException.class,
            UnsupportedVersionException.class);

    /** The topic or its leader is not at work: it is missing, starts, moves, is full, or throttles. Nothing was written. */
    private static final Set<Class<? extends ApiException>> OF_THE_CLUSTER = Set.of(
            TopicAuthorizationException.class,
            UnknownTopicOrPartitionException.class,
            UnknownTopicIdException.class,
            InconsistentTopicIdException.class,
            InvalidTopicException.class,
            InvalidTimestampException.class,
            NotEnoughReplicasException.class,
            NotLeaderOrFollowerException.class,
            LeaderNotAvailableException.class,
            ReplicaNotAvailableException.class,
            BrokerNotAvailableException.class,
            FencedLeaderEpochException.class,
            UnknownLeaderEpochException.class,
            CoordinatorLoadInProgressException.class,
            CoordinatorNotAvailableException.class,
            NotCoordinatorException.class,
            NotControllerException.class,
            KafkaStorageException.class,
            ThrottlingQuotaExceededException.class,
            BufferExhaustedException.class,
            NetworkException.class,
            DisconnectException.class);

    /**
     * {@code outage}: since the record was handed over nothing at all went to its topic, or a connection was lost,
     * or no broker is connected now.
     */
    static Answer of(Throwable failure, boolean outage) {
        if (isOneOf(OF_THE_RECORD, failure)) {
            return REFUSED;
        }
        if (isOneOf(SHUT_OUT, failure)) {
            return UNAVAILABLE_AND_BROKEN;
        }
        if (isOneOf(OF_THE_CLUSTER, failure)) {
            return UNAVAILABLE;
        }
        if (failure instanceof TimeoutException || failure instanceof RetriableException) {
            return outage ? UNAVAILABLE : UNKNOWN;
        }
        // Out of sequence, fenced, an epoch that was taken away, closed: all of them end a producer.
        return outage ? UNAVAILABLE_AND_BROKEN : UNKNOWN_AND_BROKEN;
    }

    private static boolean isOneOf(Set<Class<? extends ApiException>> kinds, Throwable failure) {
        return kinds.stream().anyMatch(kind -> kind.isInstance(failure));
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
