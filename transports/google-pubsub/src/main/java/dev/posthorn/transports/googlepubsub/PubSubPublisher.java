package dev.posthorn.transports.googlepubsub;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Sends a request for each key of a call, for Pub/Sub takes messages of one ordering key together only, and those without a
 * key together.
 */
final class PubSubPublisher implements Publisher {

    private static final Outcome CLOSED = Outcome.unavailable("the Google Pub/Sub publisher is closed");

    /** What an answer is waited for in vain is what many wait for in vain: shorter runs are sent again sooner. */
    private static final int LONGEST_RUN = 100;

    private final Courier courier;
    private final GooglePubSubConfig config;
    private final TopicNames names;
    private final Set<Parcel> underway = ConcurrentHashMap.newKeySet();

    /** Guards everything below. */
    private final Object lock = new Object();

    private final Map<KeyQueue.Id, KeyQueue> queues = new HashMap<>();
    private boolean closed;

    PubSubPublisher(Courier courier, GooglePubSubConfig config, TopicNames names) {
        this.courier = courier;
        this.config = config;
        this.names = names;
    }

    @Override
    public int longestRun() {
        return LONGEST_RUN;
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        Map<String, List<Parcel>> keyless = new LinkedHashMap<>();
        Set<KeyQueue> touched = new LinkedHashSet<>();
        List<Parcel> late = new ArrayList<>();
        for (Publication publication : publications) {
            Parcel parcel = Parcel.of(publication, config);
            String domain = names.domainOf(parcel.event());
            synchronized (lock) {
                if (closed) {
                    late.add(parcel);
                } else if (parcel.event().key().isEmpty()) {
                    keyless.computeIfAbsent(domain, any -> new ArrayList<>()).add(parcel);
                } else {
                    touched.add(queue(domain, parcel));
                }
            }
        }
        late.forEach(parcel -> parcel.settle(CLOSED));
        touched.forEach(this::pump);
        keyless.forEach(this::sendKeyless);
    }

    private KeyQueue queue(String domain, Parcel parcel) {
        String key = parcel.event().key().orElseThrow();
        KeyQueue queue =
                queues.computeIfAbsent(new KeyQueue.Id(domain, key), id -> new KeyQueue(id.domain(), id.key()));
        queue.add(parcel);
        return queue;
    }

    /** In no order, but in requests that are not too large. */
    private void sendKeyless(String domain, List<Parcel> parcels) {
        KeyQueue apart = new KeyQueue(domain, "");
        parcels.forEach(parcel -> {
            Outcome refusal = parcel.refusal();
            if (refusal == null) {
                apart.add(parcel);
            } else {
                parcel.settle(refusal);
            }
        });
        for (List<Parcel> request = apart.take(); !request.isEmpty(); request = apart.take()) {
            List<Parcel> sent = request;
            apart.answered();
            send(domain, sent, outcome -> {
                if (outcome instanceof Outcome.Refused && sent.size() > 1) {
                    sent.forEach(one -> send(domain, List.of(one), one::settle));
                } else {
                    sent.forEach(parcel -> parcel.settle(outcome));
                }
            });
        }
    }

    /** Sends what the queue has, if nothing of it is under way. */
    private void pump(KeyQueue queue) {
        List<Parcel> request;
        List<Parcel> stopped = List.of();
        synchronized (lock) {
            if (queue.isRefused()) {
                stopped = queue.takeAll();
            }
            request = queue.take();
            if (queue.isIdle()) {
                queues.remove(queue.id(), queue);
            }
        }
        if (!stopped.isEmpty()) {
            Outcome refusal = stopped.get(0).refusal();
            stop(stopped, refusal == null ? CLOSED : refusal);
        }
        if (!request.isEmpty()) {
            send(queue.domain(), request, outcome -> answered(queue, request, outcome));
        }
    }

    private static void stop(List<Parcel> parcels, Outcome first) {
        parcels.get(0).settle(first);
        parcels.forEach(parcel -> parcel.settle(KeyQueue.behind(first)));
    }

    private void answered(KeyQueue queue, List<Parcel> request, Outcome outcome) {
        boolean accepted = outcome instanceof Outcome.Accepted;
        boolean oneByOne = outcome instanceof Outcome.Refused && request.size() > 1;
        List<Parcel> behind = List.of();
        synchronized (lock) {
            queue.answered();
            if (oneByOne) {
                queue.again(request);
            } else if (!accepted) {
                behind = queue.takeAll();
            }
        }
        if (!oneByOne) {
            request.forEach(parcel -> parcel.settle(outcome));
        }
        behind.forEach(parcel -> parcel.settle(KeyQueue.behind(outcome)));
        pump(queue);
    }

    private void send(String domain, List<Parcel> request, Consumer<Outcome> then) {
        underway.addAll(request);
        var unused = courier.send(domain, request).thenAccept(outcome -> {
            underway.removeAll(request);
            then.accept(outcome);
        });
        if (isClosed()) { // and may have settled before these were under way
            request.forEach(parcel -> parcel.settle(CLOSED));
        }
    }

    boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }

    @Override
    public void close() {
        List<Parcel> waiting = new ArrayList<>();
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            queues.values().forEach(queue -> waiting.addAll(queue.takeAll()));
            queues.clear();
        }
        waiting.forEach(parcel -> parcel.settle(CLOSED));
        Outcome unknown = Outcome.unknown("the publisher was closed before Pub/Sub answered");
        underway.forEach(parcel -> parcel.settle(unknown));
        courier.close();
    }
}
