package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inbox.KeyOrder;
import dev.posthorn.inbox.PositionStore;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.relay.RoutePolicy.AfterDead;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.Set;
import javax.sql.DataSource;

/** Positions of handlers, in the database of their effects. Needs the rights of a {@link RoleKind#CONSUMER}. Thread-safe. */
public final class PostgresPositions implements PositionStore<Connection> {

    private final Schema schema;
    private final String advance;

    public PostgresPositions(Schema schema) {
        this.schema = schema;
        this.advance = Sql.load("advance_position", schema);
    }

    /** What is known of keys that are emitted with these options, and come over a route with this policy. */
    public static KeyOrder keyOrder(Set<EmitOption> emitted, RoutePolicy route) {
        return new KeyOrder(emitted.contains(EmitOption.SERIALISED), route.afterDead() == AfterDead.HOLD);
    }

    @Override
    public OptionalLong advance(
            Connection transaction, HandlerId handler, String key, long sequence, boolean overGaps) {
        try (PreparedStatement statement = transaction.prepareStatement(advance)) {
            new Parameters(statement)
                    .name("consumer name", handler.consumer())
                    .name("handler name", handler.handler())
                    .name("key", key)
                    .value(sequence)
                    .value(overGaps);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                long at = row.getLong(1);
                return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(at);
            }
        } catch (SQLException failed) {
            throw new PosthornException(
                    "The position of " + handler + " can not be moved: " + DatabaseFailure.reasonOf(failed), failed);
        }
    }

    /**
     * Passes over what a key waits for, such as an event that was discarded: the next one is that after this sequence. It is
     * recorded. Needs the rights of a {@link RoleKind#OPERATOR}.
     *
     * @return where the position was
     */
    public long move(DataSource database, HandlerId handler, String key, long sequence, String reason) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(Sql.load("move_position", schema))) {
            connection.setAutoCommit(true);
            new Parameters(statement)
                    .name("consumer name", handler.consumer())
                    .name("handler name", handler.handler())
                    .name("key", key)
                    .value(sequence)
                    .remark(reason);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        } catch (SQLException failed) {
            throw OperatorErrors.translate("move a position in schema", schema, failed);
        }
    }
}
