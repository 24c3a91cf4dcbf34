package dev.posthorn.payloadstores.s3;

import dev.posthorn.claimcheck.PayloadKey;
import dev.posthorn.claimcheck.PayloadStore;
import dev.posthorn.claimcheck.PayloadStoreException;
import dev.posthorn.claimcheck.StoredPayload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Payloads as objects of a bucket, called by their key after the prefix.
 *
 * <p>S3 compares what it got with the key before it takes it. Needs {@code s3:PutObject} to emit and publish, {@code
 * s3:GetObject} to consume, {@code s3:DeleteObject} to collect, and {@code s3:ListBucket}: without that a missing payload looks
 * like one that may not be read. With versions switched on, what is collected is only hidden; let a rule of the bucket remove old
 * ones. Thread-safe.
 */
public final class S3PayloadStore implements PayloadStore {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final int CONNECTIONS = 16;
    private static final int NOT_FOUND = 404;

    private final S3Config config;
    private final SdkHttpClient http;
    private final S3Client client;

    /** Connects when it is used. */
    public S3PayloadStore(S3Config config) {
        this.config = config;
        this.http = Apache5HttpClient.builder()
                .maxConnections(CONNECTIONS)
                .connectionTimeout(CONNECT.compareTo(config.answer()) < 0 ? CONNECT : config.answer())
                .connectionAcquisitionTimeout(config.answer())
                .socketTimeout(config.answer())
                .tcpKeepAlive(true)
                .build();
        this.client = S3Client.builder()
                .httpClient(http)
                .credentialsProvider(config.credentials())
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(options -> options.apiCallTimeout(config.answer()))
                .applyMutation(builder -> config.region().map(Region::of).ifPresent(builder::region))
                .applyMutation(builder -> config.endpoint()
                        .ifPresent(place -> builder.endpointOverride(place).forcePathStyle(true)))
                .build();
    }

    @Override
    public void put(PayloadKey key, ByteBuffer content) {
        tried(
                "put",
                () -> client.putObject(
                        request -> request.bucket(config.bucket())
                                .key(nameOf(key))
                                .contentType("application/octet-stream")
                                .checksumSHA256(Base64.getEncoder().encodeToString(key.bytes())),
                        RequestBody.fromRemainingByteBuffer(content.duplicate())));
    }

    @Override
    public Optional<byte[]> get(PayloadKey key, long atMost) {
        return tried("read", () -> {
            try (ResponseInputStream<GetObjectResponse> object =
                    client.getObject(request -> request.bucket(config.bucket()).key(nameOf(key)))) {
                byte[] content = object.readNBytes(Math.toIntExact(atMost + 1));
                if (content.length > atMost) {
                    object.abort(); // the rest is not wanted
                }
                return Optional.of(content);
            } catch (NoSuchKeyException none) {
                return Optional.empty();
            } catch (IOException failed) {
                throw trouble("read", failed);
            }
        });
    }

    @Override
    public void each(Consumer<StoredPayload> visitor) {
        tried("listed", () -> {
            client.listObjectsV2Paginator(
                            request -> request.bucket(config.bucket()).prefix(config.folder()))
                    .contents()
                    .forEach(object -> PayloadKey.parse(
                                    object.key().substring(config.folder().length()))
                            .ifPresent(key ->
                                    visitor.accept(new StoredPayload(key, object.size(), object.lastModified()))));
            return true;
        });
    }

    @Override
    public boolean remove(PayloadKey key, Instant writtenBefore) {
        return tried("removed", () -> {
            Optional<Instant> written = writtenAt(key);
            if (written.isPresent() && !written.get().isBefore(writtenBefore)) {
                return false;
            }
            if (written.isPresent()) {
                client.deleteObject(request -> request.bucket(config.bucket()).key(nameOf(key)));
            }
            return true;
        });
    }

    private Optional<Instant> writtenAt(PayloadKey key) {
        try {
            return Optional.of(
                    client.headObject(request -> request.bucket(config.bucket()).key(nameOf(key)))
                            .lastModified());
        } catch (S3Exception failed) {
            if (failed.statusCode() == NOT_FOUND) {
                return Optional.empty();
            }
            throw failed;
        }
    }

    private String nameOf(PayloadKey key) {
        return config.folder() + key.sha256();
    }

    private <T> T tried(String what, Supplier<T> call) {
        try {
            return call.get();
        } catch (SdkException failed) {
            throw trouble(what, failed);
        }
    }

    private PayloadStoreException trouble(String what, Exception failed) {
        return new PayloadStoreException(
                "Payloads in " + config + " can not be " + what + ": " + failed.getMessage(), failed);
    }

    @Override
    public void close() {
        client.close();
        http.close();
    }

    @Override
    public String toString() {
        return config.toString();
    }
}
