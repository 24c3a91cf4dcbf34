package dev.posthorn.transports.googlepubsub;

import com.google.pubsub.v1.PublishRequest;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Outcome;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Brings requests to topics, each of which is provided before. A request is accepted whole or not at all. Where topics are
 * made, one that turns out to be missing is made again, once. Thread-safe.
 */
final class Courier {

    private final Link link;
    private final GooglePubSubConfig config;
    private final TopicNames names;
    private final TopicKeeper topics;

    Courier(Link link, GooglePubSubConfig config, TopicNames names, TopicKeeper topics) {
        this.link = link;
        this.config = config;
        this.names = names;
        this.topics = topics;
    }

    /**
     * Ends with what became of all of them, and never fails. Providing the topic and publishing may each take the answer time;
     * the time of publishing starts with its call, however long these have waited before.
     */
    CompletableFuture<Outcome> send(String domain, List<Parcel> parcels) {
        Sending sending;
        try {
            sending = new Sending(domain, names.topicOf(domain), parcels, new CompletableFuture<>());
        } catch (PosthornException impossible) {
            return CompletableFuture.completedFuture(Outcome.refused(String.valueOf(impossible.getMessage())));
        }
        provide(sending, true);
        return sending.outcome();
    }

    private record Sending(String domain, String topic, List<Parcel> parcels, CompletableFuture<Outcome> outcome) {}

    private void provide(Sending sending, boolean first) {
        var unused = topics.provide(sending.domain())
                .copy()
                .orTimeout(config.timing().answer().toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((nothing, failure) -> {
                    if (failure == null) {
                        write(sending, first);
                    } else if (failure instanceof TimeoutException) {
                        sending.outcome()
                                .complete(Outcome.unavailable(
                                        "the topic " + sending.topic() + " could not be provided in time"));
                    } else {
                        sending.outcome().complete(TopicKeeper.outcomeOf(failure, sending.topic()));
                    }
                });
    }

    private void write(Sending sending, boolean first) {
        PublishRequest.Builder request = PublishRequest.newBuilder().setTopic(sending.topic());
        sending.parcels().forEach(parcel -> request.addMessages(parcel.message()));
        var unused = link.call(Rpc.PUBLISH, request.build(), config.timing().answer())
                .whenComplete((response, failure) -> answered(sending, first, failure));
    }

    private void answered(Sending sending, boolean first, @Nullable Throwable failure) {
        if (failure == null) {
            sending.outcome().complete(Outcome.accepted());
            return;
        }
        boolean gone = Answers.is(failure, Status.Code.NOT_FOUND);
        if (gone) {
            topics.isGone(sending.domain());
        }
        if (gone && first && config.provision().creates()) {
            provide(sending, false);
        } else {
            sending.outcome().complete(Answers.outcomeOf(failure, sending.topic()));
        }
    }

    /** Ends everything that is under way. */
    void close() {
        link.close();
    }
}
