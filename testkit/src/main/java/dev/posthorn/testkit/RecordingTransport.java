package dev.posthorn.testkit;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * A transport that writes down every publish call and answers as the test decides.
 *
 * <p>It settles within {@code publish}, on an executor, or when the test says {@link #release}. It notices when two
 * events of one key were in flight at once. Thread-safe.
 */
public final class RecordingTransport implements Transport {

    /** What the destination says to this try of this event. */
    @FunctionalInterface
    public interface Answer {
        Outcome to(Event event, int attempt);
    }

    /** One event in one publish call. */
    public record Call(Event event, int attempt, boolean redriven) {}

    private record Held(RecordingPublisher from, Publication publication) {}

    private static final Outcome CLOSED = Outcome.unavailable("the recording transport is closed");

    private final Answer answer;
    private final Executor settler;
    private final boolean holding;

    private final Object lock = new Object();
    private final List<Call> calls = new ArrayList<>();
    private final Map<UUID, Integer> callsOfEvent = new HashMap<>();
    private final Map<String, Integer> inFlightOfKey = new HashMap<>();
    private final List<String> overlaps = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();
    private boolean closed;

    private RecordingTransport(Answer answer, Executor settler, boolean holding) {
        this.answer = answer;
        this.settler = settler;
        this.holding = holding;
    }

    /** Accepts everything at once. */
    public static RecordingTransport accepting() {
        return answering((event, attempt) -> Outcome.accepted());
    }

    /** Answers within {@code publish}. */
    public static RecordingTransport answering(Answer answer) {
        return new RecordingTransport(answer, Runnable::run, false);
    }

    /** Answers on this executor; the test owns it. */
    public static RecordingTransport answering(Answer answer, Executor settler) {
        return new RecordingTransport(answer, settler, false);
    }

    /** Keeps everything in flight until {@link #release}. */
    public static RecordingTransport holding(Answer answer) {
        return new RecordingTransport(answer, Runnable::run, true);
    }

    @Override
    public String name() {
        return "recording";
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, false, false, false, false, Integer.MAX_VALUE, Duration.ZERO);
    }

    @Override
    public Publisher publisher() {
        return new RecordingPublisher();
    }

    /** Settles everything that is held now, oldest first, and tells how many that were. */
    public int release() {
        return release(Integer.MAX_VALUE);
    }

    /** Settles at most this many of what is held, oldest first, and tells how many that were. */
    public int release(int atMost) {
        List<Held> released = new ArrayList<>();
        synchronized (lock) {
            List<Held> oldest = held.subList(0, Math.min(atMost, held.size()));
            released.addAll(oldest);
            oldest.clear();
        }
        released.forEach(one -> settle(one.publication()));
        return released.size();
    }

    /** How many publications wait for {@link #release}. */
    public int held() {
        synchronized (lock) {
            return held.size();
        }
    }

    /** Every call so far, in the order in which they came. */
    public List<Call> calls() {
        synchronized (lock) {
            return List.copyOf(calls);
        }
    }

    /** The event of every call so far, repeats included. */
    public List<Event> events() {
        return calls().stream().map(Call::event).toList();
    }

    /** How often this event was published. */
    public int callsOf(UUID eventId) {
        synchronized (lock) {
            return callsOfEvent.getOrDefault(eventId, 0);
        }
    }

    /** Waits until there were at least so many calls. */
    public void awaitCalls(int count) {
        Await.until(() -> count + " publish calls, so far " + calls().size(), () -> calls().size() >= count);
    }

    /** Fails if a key ever had more than one event in flight, and says which. */
    public void assertAtMostOneInFlightPerKey() {
        synchronized (lock) {
            if (!overlaps.isEmpty()) {
                throw new AssertionError("More than one event of a key was in flight: " + overlaps);
            }
        }
    }

    /** Settles what is held as unavailable; later publications too. */
    @Override
    public void close() {
        List<Held> rest;
        synchronized (lock) {
            closed = true;
            rest = List.copyOf(held);
            held.clear();
        }
        rest.forEach(one -> settle(one.publication(), CLOSED));
    }

    private void settle(Publication publication) {
        settle(publication, answer.to(publication.event(), publication.attempt()));
    }

    /** Takes it out of flight first: the one who is told may publish the key's next event within the call. */
    private void settle(Publication publication, Outcome outcome) {
        synchronized (lock) {
            publication.event().key().ifPresent(key -> inFlightOfKey.merge(key, -1, Integer::sum));
        }
        publication.settle(outcome);
    }

    private final class RecordingPublisher implements Publisher {

        private boolean publisherClosed;

        @Override
        public void publish(List<? extends Publication> publications) {
            boolean open;
            synchronized (lock) {
                open = !closed && !publisherClosed;
                if (open) {
                    publications.forEach(this::record);
                }
            }
            if (!open) {
                publications.forEach(publication -> publication.settle(CLOSED));
            } else if (!holding) {
                List<Publication> copy = List.copyOf(publications);
                settler.execute(() -> copy.forEach(RecordingTransport.this::settle));
            }
        }

        private void record(Publication publication) {
            Event event = publication.event();
            calls.add(new Call(event, publication.attempt(), publication.isRedriven()));
            callsOfEvent.merge(event.id(), 1, Integer::sum);
            event.key().ifPresent(key -> {
                int inFlight = inFlightOfKey.merge(key, 1, Integer::sum);
                if (inFlight > 1) {
                    overlaps.add(event + " was number " + inFlight);
                }
            });
            if (holding) {
                held.add(new Held(this, publication));
            }
        }

        @Override
        public void close() {
            List<Held> mine;
            synchronized (lock) {
                publisherClosed = true;
                mine = held.stream().filter(one -> one.from() == this).toList();
                held.removeAll(mine);
            }
            mine.forEach(one -> settle(one.publication(), CLOSED));
        }
    }
}
