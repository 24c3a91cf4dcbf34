package dev.posthorn.transports.snssqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.transport.Outcome;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sns.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sns.model.SnsException;

class FailuresTest {

    @Test
    void aServiceThatIsDownThrottlesOrShutsUsOutIsUnavailable() {
        Map<String, Integer> answers = Map.of(
                "InternalError", 500,
                "InternalFailure", 500,
                "ServiceUnavailable", 503,
                "Throttled", 429,
                "ThrottlingException", 400,
                "AuthorizationError", 403,
                "ExpiredToken", 403,
                "NotFound", 404,
                "KMSDisabled", 400,
                "SomethingNew", 502);

        answers.forEach((code, status) ->
                assertThat(Failures.of(answer(code, status, "no"))).as(code).isInstanceOf(Outcome.Unavailable.class));
    }

    @Test
    void aConnectionThatIsRefusedOrBrokenIsUnavailable() {
        List<Throwable> causes = List.of(
                new ConnectException("Connection refused"),
                new UnknownHostException("sns.nowhere"),
                new SocketException("Connection reset"));

        assertThat(causes)
                .allSatisfy(cause -> assertThat(Failures.of(SdkClientException.create("no", cause)))
                        .isInstanceOf(Outcome.Unavailable.class));
    }

    @Test
    void silenceMayHaveTakenIt() {
        List<Throwable> silences = List.of(
                ApiCallTimeoutException.create(10_000),
                ApiCallAttemptTimeoutException.create(10_000),
                AbortedException.create("interrupted"),
                SdkClientException.create("no answer", new SocketTimeoutException("Read timed out")));

        assertThat(silences).allSatisfy(one -> assertThat(Failures.of(one)).isInstanceOf(Outcome.Unknown.class));
    }

    @Test
    void onlyWhatIsWrongWithTheMessageIsRefused() {
        List.of("InvalidParameter", "InvalidParameterValue", "ValidationException", "BatchRequestTooLong")
                .forEach(code -> assertThat(Failures.of(answer(code, 400, "Invalid parameter: Message too long")))
                        .as(code)
                        .isInstanceOf(Outcome.Refused.class));
        assertThat(Failures.of(answer("InvalidParameter", 400, "Invalid parameter: TopicArn")))
                .isInstanceOf(Outcome.Unavailable.class);
    }

    @Test
    void anEntryIsAtFaultOnlyWhereAmazonSaysSo() {
        assertThat(Failures.of(entry("InvalidParameter", true))).isInstanceOf(Outcome.Refused.class);
        assertThat(Failures.of(entry("SomethingNew", true))).isInstanceOf(Outcome.Failed.class);
        assertThat(Failures.of(entry("SomethingNew", false))).isInstanceOf(Outcome.Unknown.class);
        List.of(
                        "InternalError",
                        "ServiceUnavailable",
                        "Throttled",
                        "ThrottlingException",
                        "KMSThrottling",
                        "AuthorizationError")
                .forEach(code ->
                        assertThat(Failures.of(entry(code, false))).as(code).isInstanceOf(Outcome.Unavailable.class));
    }

    private static AwsServiceException answer(String code, int status, String message) {
        return SnsException.builder()
                .statusCode(status)
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode(code)
                        .errorMessage(message)
                        .build())
                .build();
    }

    private static BatchResultErrorEntry entry(String code, boolean senderFault) {
        return BatchResultErrorEntry.builder()
                .id("0")
                .code(code)
                .message("no")
                .senderFault(senderFault)
                .build();
    }
}
