package dev.posthorn.server;

import dev.posthorn.claimcheck.ClaimCheckConfig;
import dev.posthorn.claimcheck.PayloadStore;
import dev.posthorn.event.PosthornException;
import dev.posthorn.payloadstores.filesystem.FolderPayloadStore;
import dev.posthorn.payloadstores.gcs.GcsPayloadStore;
import dev.posthorn.payloadstores.s3.S3Config;
import dev.posthorn.payloadstores.s3.S3PayloadStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where payloads go that are too large to travel, and from which size on.
 *
 * @param address of the store
 */
record ClaimPlan(String address, int threshold) {

    static final String ALLOWED = "file:FOLDER, s3://BUCKET/PREFIX or gs://BUCKET/PREFIX";

    private static final String FILE = "file:";
    private static final String S3 = "s3://";
    private static final String GCS = "gs://";

    /** Throws {@link PosthornException} if there can be no such store. */
    static ClaimPlan checked(String address) {
        if (address.startsWith(FILE) && !Files.isDirectory(folder(address))) {
            throw new PosthornException("There is no folder " + folder(address) + ". Create it first.");
        }
        if (!address.startsWith(FILE) && !hasBucket(address)) {
            throw new PosthornException("\"" + address + "\" is no store of payloads. Write " + ALLOWED + ".");
        }
        return new ClaimPlan(address, ClaimCheckConfig.DEFAULT.threshold());
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
        String[] parts = parts(address);
        return address.startsWith(GCS)
                ? GcsPayloadStore.in(parts[0], parts[1])
                : new S3PayloadStore(S3Config.in(parts[0]).withPrefix(parts[1]));
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
