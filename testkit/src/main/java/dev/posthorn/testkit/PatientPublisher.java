package dev.posthorn.testkit;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Publishes as a relay does: one event of a key at a time, again and again until it is accepted. Closes its publisher. */
public final class PatientPublisher implements AutoCloseable {

    private static final long PAUSE_MILLIS = 50;

    private final Publisher publisher;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger left = new AtomicInteger();
    private final Map<String, AtomicInteger> answers = new ConcurrentHashMap<>();

    public PatientPublisher(Publisher publisher) {
        this.publisher = publisher;
    }

    /** Starts with the first event of each key. */
    public void publish(List<Event> events) {
        Map<String, Deque<Event>> byKey = new LinkedHashMap<>();
        for (Event event : events) {
            String key = event.key().orElseGet(() -> event.id().toString());
            byKey.computeIfAbsent(key, any -> new ArrayDeque<>()).add(event);
        }
        left.addAndGet(events.size());
        thread.execute(() -> byKey.values().forEach(ofKey -> send(ofKey, 1)));
    }

    /** How many are not accepted yet. */
    public int left() {
        return left.get();
    }

    /** How often each kind of outcome was given, by the simple name of its class. */
    public int answers(Class<? extends Outcome> kind) {
        AtomicInteger count = answers.get(kind.getSimpleName());
        return count == null ? 0 : count.get();
    }

    private void send(Deque<Event> ofKey, int attempt) {
        publisher.publish(List.of(new Try(ofKey, attempt)));
    }

    private final class Try implements Publication {

        private final Deque<Event> ofKey;
        private final Event event;
        private final int attempt;
        private final AtomicBoolean settled = new AtomicBoolean();

        Try(Deque<Event> ofKey, int attempt) {
            this.ofKey = ofKey;
            this.event = ofKey.getFirst();
            this.attempt = attempt;
        }

        @Override
        public Event event() {
            return event;
        }

        @Override
        public int attempt() {
            return attempt;
        }

        @Override
        public void settle(Outcome outcome) {
            if (!settled.compareAndSet(false, true) || thread.isShutdown()) {
                return;
            }
            answers.computeIfAbsent(outcome.getClass().getSimpleName(), any -> new AtomicInteger())
                    .incrementAndGet();
            if (!(outcome instanceof Outcome.Accepted)) {
                var unused = thread.schedule(() -> send(ofKey, attempt + 1), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
                return;
            }
            left.decrementAndGet();
            thread.execute(() -> {
                ofKey.removeFirst();
                if (!ofKey.isEmpty()) {
                    send(ofKey, 1);
                }
            });
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        publisher.close();
    }
}
