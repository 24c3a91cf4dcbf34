package dev.posthorn.transports.googlepubsub;

import com.google.auth.Credentials;
import com.google.auth.oauth2.GoogleCredentials;
import dev.posthorn.transport.Outcome;
import io.grpc.CallCredentials;
import io.grpc.Status;
import io.grpc.auth.MoreCallCredentials;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The given credentials, or the application's default ones. These are looked for with the first call, on the thread pool of
 * the calls, because that may ask the network; and again with the next one, as long as there are none.
 */
final class LazyCredentials extends CallCredentials {

    private static final List<String> SCOPES = List.of("https://www.googleapis.com/auth/pubsub");

    private final Optional<Credentials> given;
    private volatile @Nullable CallCredentials found;

    LazyCredentials(Optional<Credentials> given) {
        this.given = given;
    }

    @Override
    public void applyRequestMetadata(RequestInfo info, Executor executor, MetadataApplier applier) {
        CallCredentials known = found;
        if (known != null) {
            known.applyRequestMetadata(info, executor, applier);
        } else {
            executor.execute(() -> look(info, executor, applier));
        }
    }

    private void look(RequestInfo info, Executor executor, MetadataApplier applier) {
        CallCredentials usable;
        try {
            usable = MoreCallCredentials.from(given.isPresent() ? given.get() : applicationDefault());
            found = usable;
        } catch (IOException | RuntimeException none) {
            applier.fail(Status.UNAUTHENTICATED.withDescription("there are no credentials: " + Outcome.reasonOf(none)));
            return;
        }
        usable.applyRequestMetadata(info, executor, applier);
    }

    private static Credentials applicationDefault() throws IOException {
        return GoogleCredentials.getApplicationDefault().createScoped(SCOPES);
    }
}
