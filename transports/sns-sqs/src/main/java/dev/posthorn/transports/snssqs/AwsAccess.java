package dev.posthorn.transports.snssqs;

import dev.posthorn.event.PosthornException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.regions.Region;

/**
 * Where Amazon's services are and who asks them. Immutable; the methods make copies.
 *
 * @param region of topics and queues
 * @param endpoint of both services, if it is not Amazon's own
 * @param credentials Amazon's default chain: system properties, environment, web identity, profile, container, instance
 * @param account whose topics and queues they are, twelve digits. Needed unless topics may be created, because a topic can
 *     not be addressed without it
 * @param client further options of the client, such as interceptors and headers; the transport itself decides about
 *     repeating and time-outs
 */
public record AwsAccess(
        Region region,
        Optional<URI> endpoint,
        AwsCredentialsProvider credentials,
        Optional<String> account,
        ClientOverrideConfiguration client) {

    private static final Pattern ACCOUNT = Pattern.compile("[0-9]{12}");
    private static final Pattern REGION = Pattern.compile("[a-z]{2,}(-[a-z0-9]+)+");

    /** With the default chain of credentials. */
    public static AwsAccess in(String region) {
        if (!REGION.matcher(region).matches()) {
            // What was meant to be one is not repeated: it may be a whole address with a password.
            throw new PosthornException("This is no region of Amazon's; one looks like eu-central-1 or us-gov-west-1.");
        }
        return new AwsAccess(
                Region.of(region),
                Optional.empty(),
                DefaultCredentialsProvider.builder().build(),
                Optional.empty(),
                ClientOverrideConfiguration.builder().build());
    }

    /** Such as an emulator's, or that of a private link. */
    public AwsAccess endpoint(URI endpoint) {
        return new AwsAccess(region, Optional.of(endpoint), credentials, account, client);
    }

    public AwsAccess credentials(AwsCredentialsProvider credentials) {
        return new AwsAccess(region, endpoint, credentials, account, client);
    }

    /** Fixed ones; better leave them to the default chain. */
    public AwsAccess credentials(String accessKeyId, String secretAccessKey) {
        return credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKeyId, secretAccessKey)));
    }

    public AwsAccess account(String account) {
        return new AwsAccess(region, endpoint, credentials, Optional.of(account), client);
    }

    public AwsAccess client(ClientOverrideConfiguration client) {
        return new AwsAccess(region, endpoint, credentials, account, client);
    }

    void addFaults(List<String> faults) {
        account.filter(digits -> !ACCOUNT.matcher(digits).matches())
                .ifPresent(wrong -> faults.add("an account has twelve digits, but is \"" + wrong + "\""));
        endpoint.filter(uri -> uri.getHost() == null
                        || uri.getUserInfo() != null
                        || !("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())))
                .ifPresent(wrong ->
                        faults.add("an endpoint looks like https://host:port without a user, but this one does not"));
    }

    /** The name of a topic or queue as Amazon writes it everywhere; fails if the account is not known. */
    String arn(String service, String name) {
        String owner = account.orElseThrow(() -> new PosthornException("The address of " + name
                + " needs the number of the account; say it, or let the transport create what is missing."));
        return "arn:" + region.metadata().partition().id() + ":" + service + ":" + region.id() + ":" + owner + ":"
                + name;
    }

    /** Nothing of the credentials. */
    @Override
    public String toString() {
        return "AwsAccess[" + region
                + endpoint.map(uri -> ", " + uri.getScheme() + "://" + uri.getAuthority())
                        .orElse("")
                + account.map(digits -> ", account " + digits).orElse("") + "]";
    }
}
