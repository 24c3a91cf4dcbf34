package dev.posthorn.payloadstores.gcs;

import com.google.cloud.ReadChannel;
import com.google.cloud.storage.Blob;
import com.google.cloud.storage.BlobId;
import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.Storage.BlobListOption;
import com.google.cloud.storage.StorageException;
import com.google.cloud.storage.StorageOptions;
import dev.posthorn.claimcheck.PayloadKey;
import dev.posthorn.claimcheck.PayloadStore;
import dev.posthorn.claimcheck.PayloadStoreException;
import dev.posthorn.claimcheck.StoredPayload;
import dev.posthorn.event.PosthornException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Payloads as objects of a bucket, called by their key after the prefix.
 *
 * <p>Needs the rights {@code storage.objects.create} and {@code .delete} to emit and publish, since a payload may be written
 * again; {@code .get} to consume; {@code .list} and {@code .delete} to collect. Thread-safe.
 */
public final class GcsPayloadStore implements PayloadStore {

    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]");
    private static final Pattern PREFIX = Pattern.compile("|[A-Za-z0-9_.=-]+(/[A-Za-z0-9_.=-]+)*");
    private static final int NOT_FOUND = 404;

    private final Storage storage;
    private final String bucket;
    private final String prefix;

    /**
     * With a client of the caller's, who closes it. The client's own settings decide about time-outs and repeating.
     *
     * @param bucket must exist
     * @param prefix of the objects' names, such as {@code posthorn/payloads}; may be empty. It belongs to one log
     */
    public GcsPayloadStore(Storage storage, String bucket, String prefix) {
        if (!BUCKET.matcher(bucket).matches()) {
            throw new PosthornException("\"" + bucket + "\" can not be the name of a bucket of Google Cloud Storage.");
        }
        if (!PREFIX.matcher(prefix).matches()) {
            throw new PosthornException("The prefix \"" + prefix
                    + "\" must be words of letters, digits and _ . = - with a / between, and none at its ends.");
        }
        this.storage = storage;
        this.bucket = bucket;
        this.prefix = prefix.isEmpty() ? "" : prefix + "/";
    }

    /** With Google's default chain of credentials. */
    public static GcsPayloadStore in(String bucket, String prefix) {
        return new GcsPayloadStore(StorageOptions.getDefaultInstance().getService(), bucket, prefix);
    }

    @Override
    public void put(PayloadKey key, ByteBuffer content) {
        byte[] bytes = new byte[content.remaining()];
        content.duplicate().get(bytes);
        tried(
                "put",
                () -> storage.create(
                        BlobInfo.newBuilder(placeOf(key))
                                .setContentType("application/octet-stream")
                                .build(),
                        bytes));
    }

    @Override
    public Optional<byte[]> get(PayloadKey key, long atMost) {
        return tried("read", () -> {
            try (ReadChannel object = storage.reader(placeOf(key));
                    InputStream in = Channels.newInputStream(object)) {
                return Optional.of(in.readNBytes(Math.toIntExact(atMost + 1)));
            } catch (IOException failed) {
                if (failed.getCause() instanceof StorageException told && told.getCode() == NOT_FOUND) {
                    return Optional.empty();
                }
                throw trouble("read", failed);
            } catch (StorageException failed) {
                if (failed.getCode() == NOT_FOUND) {
                    return Optional.empty();
                }
                throw failed;
            }
        });
    }

    @Override
    public void each(Consumer<StoredPayload> visitor) {
        tried("listed", () -> {
            for (Blob object :
                    storage.list(bucket, BlobListOption.prefix(prefix)).iterateAll()) {
                PayloadKey.parse(object.getName().substring(prefix.length()))
                        .ifPresent(key -> visitor.accept(new StoredPayload(key, object.getSize(), writtenAt(object))));
            }
            return true;
        });
    }

    @Override
    public boolean remove(PayloadKey key, Instant writtenBefore) {
        return tried("removed", () -> {
            Blob found = storage.get(placeOf(key));
            if (found == null) {
                return true;
            }
            if (!writtenAt(found).isBefore(writtenBefore)) {
                return false;
            }
            storage.delete(found.getBlobId()); // with its generation: one that was put meanwhile stays
            return true;
        });
    }

    private static Instant writtenAt(Blob object) {
        return object.getUpdateTimeOffsetDateTime().toInstant();
    }

    private BlobId placeOf(PayloadKey key) {
        return BlobId.of(bucket, prefix + key.sha256());
    }

    private <T> T tried(String what, Supplier<T> call) {
        try {
            return call.get();
        } catch (StorageException failed) {
            throw trouble(what, failed);
        }
    }

    private PayloadStoreException trouble(String what, Exception failed) {
        return new PayloadStoreException(
                "Payloads in " + this + " can not be " + what + ": " + failed.getMessage(), failed);
    }

    /** The client stays open: it is the caller's, or shared by the process. */
    @Override
    public void close() {}

    @Override
    public String toString() {
        return "gs://" + bucket + (prefix.isEmpty() ? "" : "/" + prefix.substring(0, prefix.length() - 1));
    }
}
