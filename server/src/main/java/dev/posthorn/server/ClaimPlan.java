package dev.posthorn.server;

import dev.posthorn.claimcheck.ClaimCheckConfig;
import dev.posthorn.claimcheck.PayloadStore;
import dev.posthorn.event.PosthornException;
import dev.posthorn.payloadstores.filesystem.FolderPayloadStore;
import dev.posthorn.payloadstores.gcs.GcsPayloadStore;
import dev.posthorn.payloadstores.s3.S3Config;
import dev.posthorn.payloadstores.s3.S3PayloadStore;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where payloads go that are too large to travel, and from which size on.
 *
 * @param address of the store
 */
record ClaimPlan(String address, int threshold) {

    static final String ALLOWED =
            "file:FOLDER, s3://BUCKET/PREFIX (?endpoint=http://HOST:PORT behind it if it is not Amazon's) or gs://BUCKET/PREFIX";

    private static final String FILE = "file:";
    private static final String S3 = "s3://";
    private static final String GCS = "gs://";
    private static final String ENDPOINT = "?endpoint=";

    /** Throws {@link PosthornException} if there can be no such store. */
    static ClaimPlan checked(String address) {
        if (address.startsWith(FILE) && !Files.isDirectory(folder(address))) {
            throw new PosthornException("There is no folder " + folder(address) + ". Create it first.");
        }
        if (!address.startsWith(FILE) && !hasBucket(address)) {
            throw new PosthornException("\"" + address + "\" is no store of payloads. Write " + ALLOWED + ".");
        }
        ClaimPlan plan = new ClaimPlan(address, ClaimCheckConfig.DEFAULT.threshold());
        if (address.startsWith(S3)) {
            plan.inS3();
        }
        return plan;
    }

    private static boolean hasBucket(String address) {
        return (address.startsWith(S3) || address.startsWith(GCS)) && !parts(address)[0].isEmpty();
    }

    ClaimPlan withThreshold(int bytes) {
        return new ClaimPlan(address, bytes);
    }

    /** Opens the store; the caller closes it. */
    PayloadStore open() {
        if (address.startsWith(FILE)) {
            return new FolderPayloadStore(folder(address));
        }
        if (address.startsWith(GCS)) {
            String[] parts = parts(address);
            return GcsPayloadStore.in(parts[0], parts[1]);
        }
        return new S3PayloadStore(inS3());
    }

    /** With an endpoint other than Amazon's or not. */
    private S3Config inS3() {
        int end = address.indexOf(ENDPOINT);
        String[] parts = parts(end < 0 ? address : address.substring(0, end));
        S3Config config = S3Config.in(parts[0]).withPrefix(parts[1]);
        return end < 0 ? config : config.withEndpoint(endpoint(address.substring(end + ENDPOINT.length())));
    }

    private static URI endpoint(String text) {
        try {
            URI endpoint = new URI(text);
            if (endpoint.getHost() != null && endpoint.getUserInfo() == null) {
                return endpoint;
            }
        } catch (URISyntaxException none) {
            // said below, as for one without a host
        }
        // Not shown: it may have a password in it.
        throw new PosthornException(
                "The endpoint of S3 looks like http://127.0.0.1:9000, without a user, but this one does not.");
    }

    private static Path folder(String address) {
        return Path.of(address.substring(FILE.length()));
    }

    /** Bucket and prefix. */
    private static String[] parts(String address) {
        String rest = address.substring(address.indexOf("://") + 3);
        int slash = rest.indexOf('/');
        return slash < 0 ? new String[] {rest, ""} : new String[] {rest.substring(0, slash), rest.substring(slash + 1)};
    }
}
