package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Change;
import dev.posthorn.outbox.Commit;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitOption;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What one call sends, in this order: the caller's change if there is one, the locks on the keys if they are asked for, the
 * events if there are any, and the commit if it is asked for.
 */
record EmitCall(Optional<Change> change, List<Event> events, Set<EmitOption> options) {

    boolean isEmpty() {
        return change.isEmpty() && events.isEmpty();
    }

    boolean commits() {
        return options.contains(EmitOption.WITH_COMMIT);
    }

    Commit send(Connection connection, EmitStatements statements) throws SQLException {
        Optional<OwnBegin> begin = commits() ? OwnBegin.ifNothingHasBegun(connection) : Optional.empty();
        if (begin.isEmpty()) {
            return execute(connection, statements, false);
        }
        try {
            return execute(connection, statements, true);
        } finally {
            begin.get().end();
        }
    }

    private Commit execute(Connection connection, EmitStatements statements, boolean begins) throws SQLException {
        List<String> keys = options.contains(EmitOption.SERIALISED) ? keys() : List.of();
        String text = statements.textFor(this, begins, !keys.isEmpty());
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            // A driver that fetches in portions would leave the later keys unlocked: no row fetched, no lock taken.
            statement.setFetchSize(0);
            bind(statement, keys);
            boolean answersRows = statement.execute();
            if (begins) {
                answersRows = statement.getMoreResults();
            }
            long rows = -1;
            if (change.isPresent()) {
                rows = answersRows ? -1 : statement.getLargeUpdateCount();
                statement.getMoreResults();
            }
            if (!keys.isEmpty()) {
                statement.getMoreResults();
            }
            return new Commit(rows, isOnce() ? sorted(newIds(statement)) : new Emission(ids(), List.of()));
        }
    }

    /** Whether the function emit_once writes the events, and tells which were new. */
    boolean isOnce() {
        return options.contains(EmitOption.IDEMPOTENT) && !events.isEmpty();
    }

    List<UUID> ids() {
        return events.stream().map(Event::id).toList();
    }

    private List<String> keys() {
        return events.stream().flatMap(event -> event.key().stream()).distinct().toList();
    }

    private void bind(PreparedStatement statement, List<String> keys) throws SQLException {
        Parameters parameters = new Parameters(statement);
        if (change.isPresent()) {
            bindChange(parameters, change.get());
        }
        if (!keys.isEmpty()) {
            parameters.texts("key", keys);
        }
        if (isOnce() || events.size() > 1) {
            EventColumns.bindMany(parameters, events);
        } else if (!events.isEmpty()) {
            EventColumns.bindOne(parameters, events.get(0));
        }
    }

    /** A wrong number of parameters is found by the driver: it knows how many all statements have together. */
    private static void bindChange(Parameters parameters, Change change) throws SQLException {
        int number = 1;
        for (Object parameter : change.parameters()) {
            parameters.given("parameter " + number++ + " of the change", parameter);
        }
    }

    private static Set<UUID> newIds(PreparedStatement statement) throws SQLException {
        try (ResultSet result = statement.getResultSet()) {
            result.next();
            Array ids = result.getArray(1);
            return new HashSet<>(Arrays.asList((UUID[]) ids.getArray()));
        }
    }

    /** In the order of the events; the second of two equal ids is known by the first. */
    private Emission sorted(Set<UUID> newIds) {
        List<UUID> emitted = new ArrayList<>();
        List<UUID> known = new ArrayList<>();
        for (Event event : events) {
            (newIds.remove(event.id()) ? emitted : known).add(event.id());
        }
        return new Emission(emitted, known);
    }
}
