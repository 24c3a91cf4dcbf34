package dev.posthorn.inbox;

import dev.posthorn.inbox.HandoverStore.MemberId;
import dev.posthorn.transport.Arrival;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes events that other members handed over, and has them handled as if a transport had brought them: in the order of their
 * keys, other keys beside, again after a failure. {@link #runOnce} is for one thread at a time.
 */
final class HandoverIntake implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HandoverIntake.class);
    private static final int PREFETCH = 200;

    private final MemberId member;
    private final HandoverStore store;
    private final Handout handout;
    private final Queue<HandedOver> done = new ConcurrentLinkedQueue<>();
    /** How many events of each key are here. */
    private final Map<String, Integer> held = new HashMap<>();

    HandoverIntake(MemberId member, HandoverStore store, Subscriber.Limits limits, Receiver receiver) {
        this.member = member;
        this.store = store;
        Subscriber all = Subscriber.named(member.consumer()).limits(limits);
        this.handout = new Handout(all, receiver, PREFETCH);
    }

    /** Returns whether there was anything to do. */
    boolean runOnce(boolean taking) {
        boolean any = finish();
        int room = handout.room();
        if (taking && room > 0) {
            List<HandedOver> page = store.take(member, held.keySet(), room);
            offer(page);
            any |= !page.isEmpty();
        }
        return any;
    }

    /** The first of each key, and what follows it up to the first that another member must handle too. */
    private void offer(List<HandedOver> page) {
        Set<String> ended = new HashSet<>();
        for (HandedOver one : page) {
            boolean first = !held.containsKey(one.key());
            if (!ended.contains(one.key()) && (first || one.complete())) {
                held.merge(one.key(), 1, Integer::sum);
                handout.offer(one.message(), new Arrived(one));
            }
            if (!one.complete()) {
                ended.add(one.key());
            }
        }
    }

    private boolean finish() {
        List<HandedOver> finished = new ArrayList<>();
        for (HandedOver one = done.poll(); one != null; one = done.poll()) {
            finished.add(one);
        }
        if (finished.isEmpty()) {
            return false;
        }
        Map<String, Integer> left = new HashMap<>(held);
        finished.forEach(one -> left.computeIfPresent(one.key(), (key, count) -> count == 1 ? null : count - 1));
        Set<String> released = new HashSet<>(held.keySet());
        released.removeAll(left.keySet());
        try {
            store.finish(member, finished.stream().map(HandedOver::place).toList(), released);
        } catch (InboxException outage) {
            done.addAll(finished);
            throw outage;
        }
        held.clear();
        held.putAll(left);
        return true;
    }

    /** Lets handlers that run finish, within the drain time, and gives the rest back. */
    @Override
    public void close() {
        handout.close();
        try {
            boolean unused = finish();
            store.release(member);
        } catch (InboxException outage) {
            LOG.debug("Events of {} are given back when the time for which they were taken is over", member, outage);
        }
    }

    private final class Arrived implements Arrival {

        private final HandedOver event;

        Arrived(HandedOver event) {
            this.event = event;
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public Map<String, String> metadata() {
            return Map.of("handover.place", Long.toString(event.place()));
        }

        @Override
        public void done() {
            done.add(event);
        }

        /** Never asked for: a dead letter of what came this way is kept by another target than the transport. */
        @Override
        public void reject(String reason, Map<String, String> about) {
            LOG.warn("An event that was handed over stays, because no transport can keep its dead letter: {}", reason);
        }

        @Override
        public boolean retry(Duration after, String reason) {
            return false;
        }

        @Override
        public void giveBack() {} // all that was taken is released in the end
    }
}
