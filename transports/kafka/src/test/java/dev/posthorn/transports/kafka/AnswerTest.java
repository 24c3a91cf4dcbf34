package dev.posthorn.transports.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.BrokerNotAvailableException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.CoordinatorLoadInProgressException;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.FencedLeaderEpochException;
import org.apache.kafka.common.errors.InconsistentTopicIdException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.errors.NotCoordinatorException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.ReplicaNotAvailableException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownLeaderEpochException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;

class AnswerTest {

    @Test
    void onlyWhatIsWrongWithTheRecordIsRefused() {
        assertThat(Answer.of(new RecordTooLargeException(), false)).isEqualTo(Answer.REFUSED);
        assertThat(Answer.of(new InvalidRecordException("no"), false)).isEqualTo(Answer.REFUSED);
    }

    @Test
    void whatWasNotWrittenIsUnavailable() {
        assertThat(Answer.of(new TopicAuthorizationException("t"), false)).isEqualTo(Answer.UNAVAILABLE);
        assertThat(Answer.of(new NotEnoughReplicasException("too few"), false)).isEqualTo(Answer.UNAVAILABLE);
        assertThat(Answer.of(new TimeoutException("late"), true)).isEqualTo(Answer.UNAVAILABLE);
    }

    /** As a broker answers that starts, hands over its partitions, has no disk or throttles. */
    @Test
    void aClusterThatStartsOrMovesChargesNothingAlsoWhileItsConnectionsStand() {
        List<ApiException> answers = List.of(
                new NotLeaderOrFollowerException(),
                new LeaderNotAvailableException("no leader yet"),
                new ReplicaNotAvailableException("no replica"),
                new BrokerNotAvailableException("not yet"),
                new FencedLeaderEpochException("old leader"),
                new UnknownLeaderEpochException("new leader"),
                new CoordinatorLoadInProgressException("loading"),
                new CoordinatorNotAvailableException("none yet"),
                new NotCoordinatorException("another"),
                new NotControllerException("another"),
                new KafkaStorageException("no disk"),
                new ThrottlingQuotaExceededException("too fast"),
                new UnknownTopicOrPartitionException("not known yet"),
                new UnknownTopicIdException("not known yet"),
                new InconsistentTopicIdException("made again"),
                new InvalidTimestampException("clocks differ"),
                new BufferExhaustedException("nothing leaves"),
                new NetworkException("lost"),
                new DisconnectException("lost"));

        assertThat(answers)
                .allSatisfy(answer -> assertThat(Answer.of(answer, false)).isEqualTo(Answer.UNAVAILABLE));
    }

    @Test
    void aProducerThatIsNotLetInIsReplacedAndChargesNothing() {
        List<ApiException> answers = List.of(
                new SaslAuthenticationException("no"),
                new SslAuthenticationException("no"),
                new ClusterAuthorizationException("no"),
                new SecurityDisabledException("no"),
                new UnsupportedVersionException("too old"));

        assertThat(answers)
                .allSatisfy(answer -> assertThat(Answer.of(answer, false)).isEqualTo(Answer.UNAVAILABLE_AND_BROKEN));
    }

    @Test
    void whatMayHaveBeenWrittenIsUnknown() {
        assertThat(Answer.of(new TimeoutException("late"), false)).isEqualTo(Answer.UNKNOWN);
        assertThat(Answer.of(new NotEnoughReplicasAfterAppendException("too few"), false))
                .isEqualTo(Answer.UNKNOWN);
    }

    @Test
    void whatEndsAProducerReplacesIt() {
        assertThat(Answer.of(new OutOfOrderSequenceException("gap"), false)).isEqualTo(Answer.UNKNOWN_AND_BROKEN);
        assertThat(Answer.of(new ProducerFencedException("old"), false)).isEqualTo(Answer.UNKNOWN_AND_BROKEN);
        assertThat(Answer.of(new InvalidProducerEpochException("old"), false)).isEqualTo(Answer.UNKNOWN_AND_BROKEN);
        assertThat(Answer.of(new KafkaException("closed"), true)).isEqualTo(Answer.UNAVAILABLE_AND_BROKEN);
        assertThat(Answer.of(new SaslAuthenticationException("no"), false)).isEqualTo(Answer.UNAVAILABLE_AND_BROKEN);
    }
}
