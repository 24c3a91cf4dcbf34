package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

/** How a business transaction ends: with an event or without. */
enum EmitForm {
    WITHOUT("without an event") {
        @Override
        void finish(Connection connection, Outbox outbox, Supplier<Event> event) throws SQLException {
            connection.commit();
        }
    },
    EMIT("with an event") {
        @Override
        void finish(Connection connection, Outbox outbox, Supplier<Event> event) throws SQLException {
            outbox.emit(connection, event.get());
            connection.commit();
        }
    },
    WITH_COMMIT("with an event, sent with the commit") {
        @Override
        void finish(Connection connection, Outbox outbox, Supplier<Event> event) {
            outbox.emit(connection, List.of(event.get()), EmitOption.WITH_COMMIT);
        }
    };

    final String label;

    EmitForm(String label) {
        this.label = label;
    }

    /** Makes the event and emits it, or not, and commits. */
    abstract void finish(Connection connection, Outbox outbox, Supplier<Event> event) throws SQLException;
}
