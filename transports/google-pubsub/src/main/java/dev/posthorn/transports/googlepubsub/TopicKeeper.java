package dev.posthorn.transports.googlepubsub;

import dev.posthorn.transport.Outcome;
import io.grpc.StatusRuntimeException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** Provides each topic once, before the first event that goes there. Thread-safe. */
final class TopicKeeper {

    private final Provisioner provisioner;
    private final Executor executor;
    private final Map<String, CompletableFuture<Void>> provided = new ConcurrentHashMap<>();

    TopicKeeper(Provisioner provisioner, Executor executor) {
        this.provisioner = provisioner;
        this.executor = executor;
    }

    /** Ends when the topic of this domain is there, or fails; what failed is tried again with the next call. */
    CompletableFuture<Void> provide(String domain) {
        CompletableFuture<Void> known = provided.get(domain);
        if (known != null && !known.isCompletedExceptionally()) {
            return known;
        }
        return provided.compute(
                domain,
                (any, current) -> current != null && !current.isCompletedExceptionally()
                        ? current
                        : CompletableFuture.runAsync(() -> make(domain), executor));
    }

    private void make(String domain) {
        try {
            provisioner.provideTopic(domain);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new ProvisionException("stopped while the topic of " + domain + " was provided");
        }
    }

    /** It turned out to be missing. */
    void isGone(String domain) {
        provided.remove(domain);
    }

    static Outcome outcomeOf(Throwable failure, String topic) {
        Throwable cause = failure;
        while (cause.getCause() != null && !(cause instanceof StatusRuntimeException)) {
            cause = cause.getCause();
        }
        String why = cause instanceof StatusRuntimeException ? Answers.reasonOf(cause) : Outcome.reasonOf(cause);
        return Outcome.unavailable("the topic " + topic + " can not be provided: " + why);
    }
}
