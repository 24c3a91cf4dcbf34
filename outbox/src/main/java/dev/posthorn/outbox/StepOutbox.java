package dev.posthorn.outbox;

import dev.posthorn.event.Event;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;

/** An outbox with a step before it. */
record StepOutbox(EmitStep step, Outbox outbox) implements Outbox {

    @Override
    public Emission emit(Connection connection, Collection<Event> events, EmitOption... options) {
        return step.around(List.copyOf(events), changed -> outbox.emit(connection, changed, options));
    }

    @Override
    public Commit commit(Connection connection, Change change, Collection<Event> events, EmitOption... options) {
        return step.around(List.copyOf(events), changed -> outbox.commit(connection, change, changed, options));
    }
}
