package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.NoTransactionException;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.outbox.PayloadTooLargeException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Writes events into the outbox table, through any connection to its database.
 *
 * <p>Needs the rights of a {@link RoleKind#PRODUCER}: to INSERT the columns of an event, and none to read. Only {@link
 * EmitOption#IDEMPOTENT} needs EXECUTE on the function {@code emit_once}.
 */
public final class PostgresOutbox implements Outbox {

    private final PostgresOutboxConfig config;
    private final EmitStatements statements;

    public PostgresOutbox(PostgresOutboxConfig config) {
        this.config = config;
        this.statements = new EmitStatements(config.schema());
    }

    @Override
    public Emission emit(Connection connection, Collection<Event> events, EmitOption... options) {
        List<Event> batch = List.copyOf(events);
        Set<EmitOption> wanted = EnumSet.noneOf(EmitOption.class);
        wanted.addAll(Arrays.asList(options));
        checkSizes(batch);
        try {
            if (connection.getAutoCommit()) {
                throw new NoTransactionException();
            }
            return batch.isEmpty() ? emitNothing(connection, wanted) : write(connection, batch, wanted);
        } catch (SQLException e) {
            throw EmitErrors.translate(e, config.schema(), batch, wanted);
        }
    }

    private void checkSizes(List<Event> events) {
        for (Event event : events) {
            if (event.payloadSize() > config.maxPayloadBytes()) {
                throw new PayloadTooLargeException(event, config.maxPayloadBytes());
            }
        }
    }

    private static Emission emitNothing(Connection connection, Set<EmitOption> options) throws SQLException {
        if (options.contains(EmitOption.WITH_COMMIT)) {
            connection.commit();
        }
        return Emission.NOTHING;
    }

    private Emission write(Connection connection, List<Event> events, Set<EmitOption> options) throws SQLException {
        Object[] keys = options.contains(EmitOption.SERIALISED) ? keysOf(events) : new Object[0];
        boolean locksKeys = keys.length > 0;
        boolean once = options.contains(EmitOption.IDEMPOTENT);
        String text = statements.textFor(events.size() == 1, locksKeys, options);
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            // A driver that fetches in portions would leave the later keys unlocked: no row fetched, no lock taken.
            statement.setFetchSize(0);
            int next = 1;
            if (locksKeys) {
                statement.setArray(next++, connection.createArrayOf("text", keys));
            }
            if (once || events.size() > 1) {
                EventColumns.bindMany(statement, next, events);
            } else {
                EventColumns.bindOne(statement, next, events.get(0));
            }
            statement.execute();
            if (!once) {
                return new Emission(events.stream().map(Event::id).toList(), List.of());
            }
            if (locksKeys) {
                statement.getMoreResults();
            }
            return sorted(events, newIds(statement));
        }
    }

    private static Object[] keysOf(List<Event> events) {
        return events.stream().flatMap(event -> event.key().stream()).distinct().toArray();
    }

    private static Set<UUID> newIds(PreparedStatement statement) throws SQLException {
        try (ResultSet result = statement.getResultSet()) {
            result.next();
            Array ids = result.getArray(1);
            return new HashSet<>(Arrays.asList((UUID[]) ids.getArray()));
        }
    }

    /** In the order of the events; the second of two equal ids is known by the first. */
    private static Emission sorted(List<Event> events, Set<UUID> newIds) {
        List<UUID> emitted = new ArrayList<>();
        List<UUID> known = new ArrayList<>();
        for (Event event : events) {
            (newIds.remove(event.id()) ? emitted : known).add(event.id());
        }
        return new Emission(emitted, known);
    }
}
