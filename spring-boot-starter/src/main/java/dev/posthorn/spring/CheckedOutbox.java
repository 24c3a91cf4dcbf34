package dev.posthorn.spring;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Change;
import dev.posthorn.outbox.Commit;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.Outbox;
import java.sql.Connection;
import java.util.Collection;
import java.util.function.Supplier;

/**
 * An outbox that is used only after {@link StartCheck}: a bean may emit while others are still being made. It asks for the check
 * when it is used, because what is checked may itself need the outbox.
 */
record CheckedOutbox(Outbox outbox, Supplier<StartCheck> check) implements Outbox {

    private Outbox checked() {
        var unused = check.get();
        return outbox;
    }

    @Override
    public Emission emit(Connection connection, Collection<Event> events, EmitOption... options) {
        return checked().emit(connection, events, options);
    }

    @Override
    public Commit commit(Connection connection, Change change, Collection<Event> events, EmitOption... options) {
        return checked().commit(connection, change, events, options);
    }
}
