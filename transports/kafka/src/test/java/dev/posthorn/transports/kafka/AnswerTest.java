package dev.posthorn.transports.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
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
