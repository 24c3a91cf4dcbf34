package dev.posthorn.transports.googlepubsub;

import dev.posthorn.transport.Outcome;
import io.grpc.Status;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What Pub/Sub's answers mean. */
final class Answers {

    private Answers() {}

    static Status statusOf(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return Status.fromThrowable(cause);
    }

    static boolean is(Throwable failure, Status.Code code) {
        return statusOf(failure).getCode() == code;
    }

    /** For people: the code, and what the server or the library said. */
    static String reasonOf(Throwable failure) {
        return reasonOf(statusOf(failure));
    }

    static String reasonOf(Status status) {
        Throwable cause = status.getCause();
        String said = status.getDescription();
        String why = said == null ? "" : ": " + said;
        return status.getCode() + why + (cause == null ? "" : " (" + Outcome.reasonOf(cause) + ")");
    }

    /** What became of an event whose publishing failed like this. */
    static Outcome outcomeOf(Throwable failure, String topic) {
        Status status = statusOf(failure);
        String reason = "publishing to " + topic + " failed, " + reasonOf(status);
        return switch (status.getCode()) {
            case INVALID_ARGUMENT, OUT_OF_RANGE -> Outcome.refused(reason);
            case DEADLINE_EXCEEDED -> neverLeft(status) ? Outcome.unavailable(reason) : Outcome.unknown(reason);
            // Something went wrong over there, perhaps with this one alone: charged only while others go through.
            case INTERNAL, UNKNOWN, DATA_LOSS ->
                isLostConnection(status) ? Outcome.unavailable(reason) : Outcome.unknown(reason);
            default -> Outcome.unavailable(reason);
        };
    }

    /** A cause is of this process only; a server sends none. A channel that closes in a call is UNKNOWN to the library. */
    private static boolean isLostConnection(Status status) {
        return status.getCause() instanceof IOException;
    }

    /** There was no connection to send it over, so it can not have arrived. */
    private static boolean neverLeft(Status status) {
        return String.valueOf(status.getDescription()).contains("waiting_for_connection");
    }
}
