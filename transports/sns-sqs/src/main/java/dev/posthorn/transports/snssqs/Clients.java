package dev.posthorn.transports.snssqs;

import java.time.Duration;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Clients of both services over connections of their own. They repeat nothing by themselves. */
final class Clients implements AutoCloseable {

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(5);

    private final SdkHttpClient http;
    private final SnsClient sns;
    private final SqsClient sqs;

    /** Connects when it is used. */
    Clients(SnsSqsConfig config, int connections) {
        Duration answer = config.timing().answer();
        Duration connect = answer.compareTo(LONGEST_CONNECT) < 0 ? answer : LONGEST_CONNECT;
        AwsAccess access = config.access();
        this.http = Apache5HttpClient.builder()
                .maxConnections(connections)
                .connectionTimeout(connect)
                .connectionAcquisitionTimeout(answer)
                .socketTimeout(answer.plus(config.timing().poll()).plusSeconds(1))
                .tcpKeepAlive(true)
                .build();
        ClientOverrideConfiguration overrides = access.client().toBuilder()
                .retryStrategy(DefaultRetryStrategy.doNotRetry())
                .apiCallTimeout(answer)
                .build();
        this.sns = SnsClient.builder()
                .httpClient(http)
                .region(access.region())
                .credentialsProvider(access.credentials())
                .overrideConfiguration(overrides)
                .applyMutation(builder -> access.endpoint().ifPresent(builder::endpointOverride))
                .build();
        this.sqs = SqsClient.builder()
                .httpClient(http)
                .region(access.region())
                .credentialsProvider(access.credentials())
                .overrideConfiguration(overrides)
                .applyMutation(builder -> access.endpoint().ifPresent(builder::endpointOverride))
                .build();
    }

    SnsClient sns() {
        return sns;
    }

    SqsClient sqs() {
        return sqs;
    }

    @Override
    public void close() {
        sns.close();
        sqs.close();
        http.close();
    }
}
