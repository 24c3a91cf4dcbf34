package dev.posthorn.transports.googlepubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.transport.Outcome;
import io.grpc.Status;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

class AnswersTest {

    @Test
    void aConnectionThatIsLostInACallChargesNoAttempt() {
        Throwable lost = Status.UNKNOWN
                .withDescription("channel closed")
                .withCause(new ClosedChannelException())
                .asRuntimeException();

        assertThat(Answers.outcomeOf(lost, "t")).isInstanceOf(Outcome.Unavailable.class);
    }

    @Test
    void whatTheServerItselfDoesNotKnowMayHaveArrived() {
        assertThat(Answers.outcomeOf(Status.UNKNOWN.asRuntimeException(), "t")).isInstanceOf(Outcome.Unknown.class);
        assertThat(Answers.outcomeOf(Status.INTERNAL.asRuntimeException(), "t")).isInstanceOf(Outcome.Unknown.class);
    }
}
