package dev.posthorn.transports.googlepubsub;

import com.google.protobuf.Message;
import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.ModifyAckDeadlineRequest;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PubsubMessage;
import dev.posthorn.transport.SettlingCalls;
import dev.posthorn.transport.Subscriber;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What receivers have said, on its way to Pub/Sub. Acknowledgements of a subscription go together. A dead letter is published
 * first and its message acknowledged when that was answered. What fails is sent again.
 */
final class Settlements {

    static final String DEAD_REASON = "posthorn-dead-reason";
    static final String DEAD_SUBSCRIBER = "posthorn-dead-subscriber";
    static final String DEAD_SUBSCRIPTION = "posthorn-dead-subscription";
    static final String DEAD_ID = "posthorn-dead-id";

    private static final Logger LOG = LoggerFactory.getLogger(Settlements.class);

    /** The subscription is gone, or an id does not count any more, as one with exactly-once delivery says. */
    private static final Set<Status.Code> POINTLESS =
            Set.of(Status.Code.NOT_FOUND, Status.Code.FAILED_PRECONDITION, Status.Code.INVALID_ARGUMENT);

    private static final int MOST_AT_ONCE = 1_000;

    private record Rejected(PubSubArrival arrival, String reason, Map<String, String> about) {}

    private final Subscriber subscriber;
    private final Link link;
    private final TopicNames names;
    private final Runnable wake;
    private final SettlingCalls calls;

    private final Queue<PubSubArrival> done = new ConcurrentLinkedQueue<>();
    private final Queue<Rejected> rejected = new ConcurrentLinkedQueue<>();
    private final Queue<PubSubArrival> givenBack = new ConcurrentLinkedQueue<>();
    private volatile boolean incomplete;

    Settlements(Subscriber subscriber, Link link, TopicNames names, Runnable wake) {
        this.subscriber = subscriber;
        this.link = link;
        this.names = names;
        this.wake = wake;
        this.calls = new SettlingCalls(wake);
    }

    void done(PubSubArrival arrival) {
        done.add(arrival);
        wake.run();
    }

    void reject(PubSubArrival arrival, String reason, Map<String, String> about) {
        rejected.add(new Rejected(arrival, reason, about));
        wake.run();
    }

    void giveBack(PubSubArrival arrival) {
        givenBack.add(arrival);
        wake.run();
    }

    boolean isEmpty() {
        return done.isEmpty() && rejected.isEmpty() && calls.isAllAnswered();
    }

    boolean isAllBack() {
        return givenBack.isEmpty() && isEmpty();
    }

    /** Why what waits here could not be brought to Pub/Sub; none if nothing waits any more. */
    @Nullable
    String trouble() {
        return isEmpty() ? null : calls.trouble();
    }

    /** True once after something turned out to be missing that could be made. */
    boolean takeIncomplete() {
        boolean was = incomplete;
        incomplete = false;
        return was;
    }

    /** Sends what is there, without waiting for answers. After a failure it waits a little before it tries again. */
    void flush() {
        if (calls.isPaused()) {
            return;
        }
        int letters = rejected.size(); // those that fail meanwhile wait for the next time
        for (Rejected dead = rejected.poll(); dead != null; dead = --letters > 0 ? rejected.poll() : null) {
            sendDead(dead);
        }
        for (Batch batch : batches(done)) {
            acknowledge(batch.feed(), batch.arrivals());
        }
    }

    /** Gives back what is to be given back; after everything else, so that nothing overtakes what is done. */
    void flushBack() {
        for (Batch batch : batches(givenBack)) {
            ModifyAckDeadlineRequest request = ModifyAckDeadlineRequest.newBuilder()
                    .setSubscription(batch.feed().subscription())
                    .addAllAckIds(ackIds(batch.arrivals()))
                    .setAckDeadlineSeconds(0)
                    .build();
            // If it fails they come back when their deadline is over.
            send(Rpc.MODIFY_ACK_DEADLINE, request, () -> batch.feed().settled(batch.arrivals()), () -> {});
        }
    }

    private record Batch(Feed feed, List<PubSubArrival> arrivals) {}

    private static List<Batch> batches(Queue<PubSubArrival> queue) {
        Map<Feed, List<PubSubArrival>> byFeed = new LinkedHashMap<>();
        for (PubSubArrival next = queue.poll(); next != null; next = queue.poll()) {
            byFeed.computeIfAbsent(next.feed(), any -> new ArrayList<>()).add(next);
        }
        List<Batch> batches = new ArrayList<>();
        byFeed.forEach((feed, all) -> {
            for (int from = 0; from < all.size(); from += MOST_AT_ONCE) {
                batches.add(new Batch(feed, all.subList(from, Math.min(all.size(), from + MOST_AT_ONCE))));
            }
        });
        return batches;
    }

    private static List<String> ackIds(List<PubSubArrival> arrivals) {
        return arrivals.stream().map(PubSubArrival::ackId).collect(Collectors.toList());
    }

    private void acknowledge(Feed feed, List<PubSubArrival> arrivals) {
        AcknowledgeRequest request = AcknowledgeRequest.newBuilder()
                .setSubscription(feed.subscription())
                .addAllAckIds(ackIds(arrivals))
                .build();
        send(Rpc.ACKNOWLEDGE, request, () -> feed.settled(arrivals), () -> done.addAll(arrivals));
    }

    private void sendDead(Rejected dead) {
        PubSubArrival arrival = dead.arrival();
        PubsubMessage original = arrival.pubsubMessage();
        Map<String, String> about = new LinkedHashMap<>(dead.about());
        about.put(DEAD_REASON, dead.reason());
        about.put(DEAD_SUBSCRIBER, subscriber.name());
        about.put(DEAD_SUBSCRIPTION, arrival.feed().subscription());
        about.put(DEAD_ID, arrival.id());
        PubsubMessage letter = PubsubMessage.newBuilder()
                .setData(original.getData())
                .setOrderingKey(original.getOrderingKey())
                .putAllAttributes(Attributes.ofDeadLetter(original.getAttributesMap(), about))
                .build();
        PublishRequest request = PublishRequest.newBuilder()
                .setTopic(names.deadLettersOf(arrival.feed().domain()))
                .addMessages(letter)
                .build();
        send(Rpc.PUBLISH, request, arrival::done, () -> rejected.add(dead));
    }

    private <A extends Message, B extends Message> void send(
            Rpc<A, B> rpc, A request, Runnable success, Runnable again) {
        calls.send(() -> link.call(rpc, request), success, failure -> failed(rpc, failure, success, again));
    }

    private void failed(Rpc<?, ?> rpc, Throwable failure, Runnable success, Runnable again) {
        Status.Code code = Answers.statusOf(failure).getCode();
        incomplete |= code == Status.Code.NOT_FOUND;
        if (!rpc.equals(Rpc.PUBLISH) && POINTLESS.contains(code)) {
            LOG.debug("What was handled may come again: {}", Answers.reasonOf(failure));
            calls.succeeded();
            success.run();
        } else {
            calls.failed(Answers.reasonOf(failure));
            again.run();
        }
    }
}
