package dev.posthorn.outbox;

import dev.posthorn.event.Event;
import java.util.List;
import java.util.function.Function;

/**
 * What a handler emits follows from the event it handles: {@code Causation.by(event).before(outbox)} is an outbox that says so.
 *
 * <p>Each event emitted through it gets the handled event's id as causation id, and its correlation id, or its id if it has
 * none. What the emitter has set itself stays.
 *
 * @param cause the event that is being handled
 */
public record Causation(Event cause) implements EmitStep {

    public static Causation by(Event cause) {
        return new Causation(cause);
    }

    /** The event as one that follows from the cause. */
    public Event mark(Event event) {
        String id = cause.id().toString();
        return event.following(
                event.correlationId().or(cause::correlationId).orElse(id),
                event.causationId().orElse(id));
    }

    @Override
    public <R> R around(List<Event> events, Function<List<Event>, R> emit) {
        return emit.apply(events.stream().map(this::mark).toList());
    }
}
