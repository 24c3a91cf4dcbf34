package dev.posthorn.registry;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Change;
import dev.posthorn.outbox.Commit;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.Outbox;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Another outbox, that emits what the registry allows.
 *
 * <p>Throws {@link UnregisteredEventException} if any event of a call breaks it, before anything is sent to the database: the
 * transaction is not aborted by that. Thread-safe if the other is.
 *
 * <p>What passes a contract that has an identity says so by its {@link Event#stamp()}, for {@link CheckedPublisher}.
 */
public final class CheckedOutbox implements Outbox {

    private final Outbox outbox;
    private final Registry registry;
    private final Inspector inspector;

    public CheckedOutbox(Outbox outbox, Registry registry) {
        this.outbox = outbox;
        this.registry = registry;
        this.inspector = new Inspector(registry, "emit");
    }

    @Override
    public Emission emit(Connection connection, Collection<Event> events, EmitOption... options) {
        return outbox.emit(connection, checked(events), options);
    }

    @Override
    public Commit commit(Connection connection, Change change, Collection<Event> events, EmitOption... options) {
        return outbox.commit(connection, change, checked(events), options);
    }

    private List<Event> checked(Collection<Event> events) {
        List<Event> passed = new ArrayList<>(events.size());
        Map<Event, List<Violation>> refused = new LinkedHashMap<>();
        for (Event event : events) {
            if (!inspector.isDue(event)) {
                passed.add(event);
                continue;
            }
            List<Violation> found = registry.check(event);
            if (inspector.refuses(event, found)) {
                refused.put(event, found);
            }
            passed.add(found.isEmpty() ? registry.stamped(event) : event);
        }
        if (!refused.isEmpty()) {
            throw new UnregisteredEventException(refused);
        }
        return passed;
    }
}
