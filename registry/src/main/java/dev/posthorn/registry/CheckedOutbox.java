package dev.posthorn.registry;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Change;
import dev.posthorn.outbox.Commit;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.Outbox;
import java.sql.Connection;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Another outbox, that emits what the registry allows.
 *
 * <p>Throws {@link UnregisteredEventException} if any event of a call breaks it, before anything is sent to the database: the
 * transaction is not aborted by that. Thread-safe if the other is.
 */
public final class CheckedOutbox implements Outbox {

    private final Outbox outbox;
    private final Inspector inspector;

    public CheckedOutbox(Outbox outbox, Registry registry) {
        this.outbox = outbox;
        this.inspector = new Inspector(registry, "emit");
    }

    @Override
    public Emission emit(Connection connection, Collection<Event> events, EmitOption... options) {
        check(events);
        return outbox.emit(connection, events, options);
    }

    @Override
    public Commit commit(Connection connection, Change change, Collection<Event> events, EmitOption... options) {
        check(events);
        return outbox.commit(connection, change, events, options);
    }

    private void check(Collection<Event> events) {
        Map<Event, List<Violation>> refused = new LinkedHashMap<>();
        for (Event event : events) {
            List<Violation> found = inspector.refusals(event);
            if (!found.isEmpty()) {
                refused.put(event, found);
            }
        }
        if (!refused.isEmpty()) {
            throw new UnregisteredEventException(refused);
        }
    }
}
