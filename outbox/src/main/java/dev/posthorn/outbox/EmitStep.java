package dev.posthorn.outbox;

import dev.posthorn.event.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Something that happens to events, or around the call, before an outbox emits them: encryption, a check, a trace.
 *
 * <p>Steps nest: {@code check.before(encryption.before(outbox))} checks first. Implementations are thread-safe.
 *
 * <p>Must not change an event's id, nor leave out, add or reorder events: what the call answers is about the ids given.
 */
public interface EmitStep {

    /**
     * Calls {@code emit} once with what is to be emitted in place of these events, and returns its answer. Throws instead of
     * calling it if nothing may be emitted; the transaction is then as it was.
     */
    <R> R around(List<Event> events, Function<List<Event>, R> emit);

    /** The outbox with this step before it. */
    default Outbox before(Outbox outbox) {
        return new StepOutbox(this, outbox);
    }

    /** A step that changes each event by itself. */
    static EmitStep onEach(UnaryOperator<Event> change) {
        return new EmitStep() {
            @Override
            public <R> R around(List<Event> events, Function<List<Event>, R> emit) {
                List<Event> changed = new ArrayList<>(events.size());
                events.forEach(event -> changed.add(change.apply(event)));
                return emit.apply(changed);
            }
        };
    }
}
