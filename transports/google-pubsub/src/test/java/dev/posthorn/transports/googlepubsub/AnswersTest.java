package dev.posthorn.transports.googlepubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.transport.Outcome;
import io.grpc.Status;
import java.nio.channels.ClosedChannelException;
import java.util.List;
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
    void aServiceThatIsDownThrottlesOrShutsUsOutChargesNoAttempt() {
        List<Status> answers = List.of(
                Status.UNAVAILABLE,
                Status.RESOURCE_EXHAUSTED,
                Status.ABORTED,
                Status.CANCELLED,
                Status.FAILED_PRECONDITION,
                Status.NOT_FOUND,
                Status.PERMISSION_DENIED,
                Status.UNAUTHENTICATED,
                Status.UNIMPLEMENTED,
                Status.DEADLINE_EXCEEDED.withDescription("deadline exceeded, waiting_for_connection"));

        assertThat(answers)
                .allSatisfy(answer -> assertThat(Answers.outcomeOf(answer.asRuntimeException(), "t"))
                        .isInstanceOf(Outcome.Unavailable.class));
    }

    @Test
    void silenceMayHaveTakenIt() {
        assertThat(Answers.outcomeOf(Status.DEADLINE_EXCEEDED.asRuntimeException(), "t"))
                .isInstanceOf(Outcome.Unknown.class);
    }

    @Test
    void onlyWhatIsWrongWithTheMessageIsRefused() {
        assertThat(Answers.outcomeOf(Status.INVALID_ARGUMENT.asRuntimeException(), "t"))
                .isInstanceOf(Outcome.Refused.class);
        assertThat(Answers.outcomeOf(Status.OUT_OF_RANGE.asRuntimeException(), "t"))
                .isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void whatTheServerItselfDoesNotKnowMayHaveArrived() {
        assertThat(Answers.outcomeOf(Status.UNKNOWN.asRuntimeException(), "t")).isInstanceOf(Outcome.Unknown.class);
        assertThat(Answers.outcomeOf(Status.INTERNAL.asRuntimeException(), "t")).isInstanceOf(Outcome.Unknown.class);
    }
}
