package dev.posthorn.transports.snssqs;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Outcome;
import java.net.SocketTimeoutException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.sns.model.BatchResultErrorEntry;

/** What Amazon's answers, and their absence, mean for an event. */
final class Failures {

    private static final int LONGEST = 300;
    /** They say that a message is not as it should be, not that anything is wrong with the service or its caller. */
    private static final Set<String> OF_THE_MESSAGE = Set.of(
            "InvalidParameter",
            "InvalidParameterValue",
            "ParameterValueInvalid",
            "InvalidMessageContents",
            "ValidationException",
            "BatchRequestTooLong");

    /** Parts of codes that say that the service, or the caller's account or key, is the problem. */
    private static final Set<String> OF_THE_SERVICE =
            Set.of("Throttl", "Authorization", "AccessDenied", "KMS", "Unavailable", "Internal", "Token");

    private Failures() {}

    /** Of a call that failed as a whole. */
    static Outcome of(Throwable failure) {
        if (failure instanceof AwsServiceException answer) {
            return isOfTheMessage(answer) ? Outcome.refused(reason(answer)) : Outcome.unavailable(reason(answer));
        }
        return isSilence(failure) ? Outcome.unknown(reason(failure)) : Outcome.unavailable(reason(failure));
    }

    /** Whether it is about what was sent; then each message has to be asked for on its own. */
    static boolean isOfTheMessage(Throwable failure) {
        return failure instanceof AwsServiceException answer
                && answer.statusCode() == 400
                && OF_THE_MESSAGE.contains(code(answer))
                && !reason(answer).contains("TopicArn");
    }

    /** Of one entry in a call that succeeded. */
    static Outcome of(BatchResultErrorEntry entry) {
        String code = String.valueOf(entry.code());
        String reason = code + ": " + shortened(String.valueOf(entry.message()));
        if (OF_THE_MESSAGE.contains(code)) {
            return Outcome.refused(reason);
        }
        boolean ofTheService = OF_THE_SERVICE.stream().anyMatch(code::contains);
        if (ofTheService) {
            return Outcome.unavailable(reason);
        }
        return Boolean.TRUE.equals(entry.senderFault()) ? Outcome.failed(reason) : Outcome.unknown(reason);
    }

    /** The connection stood, and nothing came. */
    private static boolean isSilence(Throwable failure) {
        if (failure instanceof ApiCallTimeoutException
                || failure instanceof ApiCallAttemptTimeoutException
                || failure instanceof AbortedException) {
            return true;
        }
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException
                    && !cause.getClass().getSimpleName().equals("ConnectTimeoutException")) {
                return true;
            }
        }
        return false;
    }

    /** Whether a topic or queue is missing. */
    static boolean isMissing(Throwable failure) {
        return failure instanceof AwsServiceException answer
                && (code(answer).contains("NotFound")
                        || code(answer).contains("NonExistentQueue")
                        || code(answer).contains("QueueDoesNotExist"));
    }

    static String code(AwsServiceException answer) {
        return answer.awsErrorDetails() == null
                ? ""
                : String.valueOf(answer.awsErrorDetails().errorCode());
    }

    /** One line, without credentials: Amazon's client puts none into its messages, and what a cause says is left out. */
    static String reason(Throwable failure) {
        if (failure instanceof AwsServiceException answer && answer.awsErrorDetails() != null) {
            return code(answer) + ": "
                    + shortened(String.valueOf(answer.awsErrorDetails().errorMessage()));
        }
        return failure instanceof PosthornException ours
                ? String.valueOf(ours.getMessage())
                : shortened(Outcome.reasonOf(failure));
    }

    private static String shortened(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
    }
}
