package dev.posthorn.payloadstores.s3;

import dev.posthorn.event.PosthornException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * Where payloads are kept and who keeps them. Immutable; the methods make copies.
 *
 * @param bucket must exist
 * @param prefix of the objects' names, such as {@code posthorn/payloads}; may be empty. It belongs to one log
 * @param region empty: as Amazon's default chain finds it
 * @param endpoint if it is not Amazon's own; then the bucket stands in the path
 * @param credentials Amazon's default chain: system properties, environment, web identity, profile, container, instance
 * @param answer how long one call may take; by default 30 s. Too low: large payloads do not get through. Too high: an emit
 *     waits that long with its transaction open
 */
public record S3Config(
        String bucket,
        String prefix,
        Optional<String> region,
        Optional<URI> endpoint,
        AwsCredentialsProvider credentials,
        Duration answer) {

    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern PREFIX = Pattern.compile("|[A-Za-z0-9_.=-]+(/[A-Za-z0-9_.=-]+)*");

    public S3Config {
        if (!BUCKET.matcher(bucket).matches()) {
            throw new PosthornException("\"" + bucket + "\" can not be the name of a bucket of S3.");
        }
        if (!PREFIX.matcher(prefix).matches()) {
            throw new PosthornException("The prefix \"" + prefix
                    + "\" must be words of letters, digits and _ . = - with a / between, and none at its ends.");
        }
    }

    /** With the default chains, and no prefix. */
    public static S3Config in(String bucket) {
        return new S3Config(
                bucket,
                "",
                Optional.empty(),
                Optional.empty(),
                DefaultCredentialsProvider.builder().build(),
                Duration.ofSeconds(30));
    }

    public S3Config withPrefix(String prefix) {
        return new S3Config(bucket, prefix, region, endpoint, credentials, answer);
    }

    public S3Config withRegion(String region) {
        return new S3Config(bucket, prefix, Optional.of(region), endpoint, credentials, answer);
    }

    /** Such as an emulator's, or that of another product which speaks as S3 does. */
    public S3Config withEndpoint(URI endpoint) {
        return new S3Config(bucket, prefix, region, Optional.of(endpoint), credentials, answer);
    }

    public S3Config withCredentials(AwsCredentialsProvider credentials) {
        return new S3Config(bucket, prefix, region, endpoint, credentials, answer);
    }

    /** Fixed ones; better leave them to the default chain. */
    public S3Config withCredentials(String accessKeyId, String secretAccessKey) {
        return withCredentials(
                StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKeyId, secretAccessKey)));
    }

    public S3Config withAnswer(Duration answer) {
        return new S3Config(bucket, prefix, region, endpoint, credentials, answer);
    }

    /** What the names of all objects begin with. */
    String folder() {
        return prefix.isEmpty() ? "" : prefix + "/";
    }

    /** Nothing of the credentials. */
    @Override
    public String toString() {
        return "s3://" + bucket + (prefix.isEmpty() ? "" : "/" + prefix);
    }
}
