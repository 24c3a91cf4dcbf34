package dev.posthorn.transports.googlepubsub;

import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import dev.posthorn.transport.Pauses;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One subscription of a member: it is pulled from, one call at a time that waits for messages, and knows those that are here.
 *
 * <p>A call asks for no more than there is room for. A stream, which is the other way to receive, would be told how much it may
 * bring and could still bring more; and Google's emulator goes on bringing messages to streams whose client is gone.
 */
final class Feed {

    /** How long a call waits for a message; Pub/Sub knows it and answers shortly before with nothing. */
    private static final Duration LONGEST_PULL = Duration.ofSeconds(30);

    private static final int MOST_AT_ONCE = 1_000;

    /** Whoever can not pull is told so by then. */
    private static final long PROVEN_AFTER = Duration.ofSeconds(1).toNanos();

    /** The shortest deadline that a subscription can have; until it is extended nothing longer is certain. */
    private static final long CERTAIN = Duration.ofSeconds(10).toNanos();

    private final String subscription;
    private final String domain;
    private final Settlements settlements;
    private final Runnable wake;
    private final Pauses pauses = Link.pauses();

    /** Everything below is guarded by this object. */
    private final Map<String, PubSubArrival> known = new LinkedHashMap<>();

    private final Deque<PubSubArrival> stash = new ArrayDeque<>();
    private List<PubSubArrival> fresh = new ArrayList<>();
    private boolean pulling;
    private boolean stopped;
    private long pulledAt;
    private @Nullable Status broken;

    Feed(String subscription, String domain, Settlements settlements, Runnable wake) {
        this.subscription = subscription;
        this.domain = domain;
        this.settlements = settlements;
        this.wake = wake;
    }

    String subscription() {
        return subscription;
    }

    String domain() {
        return domain;
    }

    Settlements settlements() {
        return settlements;
    }

    /** Asks for messages, unless it is asked already or so many are here that it is not worth it. */
    void pull(Link link, int most) {
        int wanted;
        synchronized (this) {
            wanted = most - known.size();
            if (pulling || stopped || wanted < Math.max(1, most / 4) || !pauses.isOver()) {
                return;
            }
            pulling = true;
            pulledAt = System.nanoTime();
        }
        PullRequest request = PullRequest.newBuilder()
                .setSubscription(subscription)
                .setMaxMessages(Math.min(wanted, MOST_AT_ONCE))
                .build();
        var unused = link.call(Rpc.PULL, request, LONGEST_PULL).whenComplete((response, failure) -> {
            pulled(response, failure);
            wake.run();
        });
    }

    private synchronized void pulled(@Nullable PullResponse response, @Nullable Throwable failure) {
        pulling = false;
        if (failure != null
                && !Answers.is(
                        failure, Status.Code.DEADLINE_EXCEEDED)) { // else nothing was there, or the network is not
            broken = Answers.statusOf(failure);
            pauses.failed();
            return;
        }
        broken = null;
        pauses.succeeded();
        if (response != null) {
            long until = System.nanoTime() + CERTAIN;
            response.getReceivedMessagesList().forEach(message -> take(message, until));
        }
    }

    private void take(ReceivedMessage message, long until) {
        PubSubArrival here = known.get(message.getMessage().getMessageId());
        if (here == null) {
            PubSubArrival arrival = new PubSubArrival(this, message, until);
            known.put(arrival.id(), arrival);
            fresh.add(arrival);
            if (stopped) {
                arrival.giveBack();
            } else {
                stash.addLast(arrival);
            }
        } else {
            here.renew(message.getAckId(), until);
            if (here.isSettled()) {
                settlements.done(here); // the earlier id may not count any more
            }
        }
    }

    /** Why nothing comes, if so. */
    synchronized @Nullable Status trouble() {
        if (pulling && System.nanoTime() - pulledAt > PROVEN_AFTER) {
            broken = null;
        }
        return broken;
    }

    /** The next that is to be handed over. */
    synchronized @Nullable PubSubArrival next() {
        return stash.pollFirst();
    }

    /** What has come since this was last asked. */
    synchronized List<PubSubArrival> takeFresh() {
        List<PubSubArrival> all = fresh;
        fresh = new ArrayList<>();
        return all;
    }

    /** Takes in nothing more and gives back what was not handed over. */
    synchronized void stop() {
        stopped = true;
        stash.forEach(PubSubArrival::giveBack);
        stash.clear();
    }

    /** All that is not settled at Pub/Sub. */
    synchronized List<PubSubArrival> here() {
        return List.copyOf(known.values());
    }

    synchronized void settled(Collection<PubSubArrival> arrivals) {
        arrivals.forEach(arrival -> known.remove(arrival.id(), arrival));
    }

    /**
     * Forgets what may be somebody else's by now, and answers it. What came behind such a message in its key is forgotten too:
     * Pub/Sub brings that again after the message, and it must not be handled before.
     */
    synchronized List<PubSubArrival> lose(Predicate<PubSubArrival> which) {
        List<PubSubArrival> lost = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        known.values().removeIf(arrival -> isLost(arrival, which, keys) && lost.add(arrival));
        stash.removeAll(lost);
        return lost;
    }

    /** Asked in the order of arrival. The keys are those of which an unhandled message is lost. */
    private static boolean isLost(PubSubArrival arrival, Predicate<PubSubArrival> which, Set<String> keys) {
        String key = arrival.orderingKey();
        if (which.test(arrival)) {
            if (!key.isEmpty() && !arrival.isSettled()) {
                keys.add(key);
            }
            return true;
        }
        return keys.contains(key) && !arrival.isSettled();
    }
}
