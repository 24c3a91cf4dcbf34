package dev.posthorn.testkit;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A publication that remembers every time it was settled, so that a test can tell "once" from "twice". Thread-safe. */
public final class TrackedPublication implements Publication {

    private final Event event;
    private final int attempt;
    private final List<Outcome> settlements = new CopyOnWriteArrayList<>();

    public TrackedPublication(Event event, int attempt) {
        this.event = event;
        this.attempt = attempt;
    }

    /** The first try of each of these events. */
    public static List<TrackedPublication> firstOf(List<Event> events) {
        return events.stream().map(event -> new TrackedPublication(event, 1)).toList();
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
        settlements.add(outcome);
    }

    public boolean isSettled() {
        return !settlements.isEmpty();
    }

    /** Every outcome reported so far, in order; a correct transport reports one. */
    public List<Outcome> settlements() {
        return List.copyOf(settlements);
    }

    /** The outcome, waiting for it if necessary. */
    public Outcome awaitOutcome() {
        Await.until("an outcome of " + event, this::isSettled);
        return settlements.get(0);
    }
}
