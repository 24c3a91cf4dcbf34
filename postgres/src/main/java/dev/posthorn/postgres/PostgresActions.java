package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Records what operators did that nothing else records.
 *
 * <p>Needs the rights of an {@link RoleKind#OPERATOR}. Thread-safe.
 */
public final class PostgresActions {

    /**
     * What was done.
     *
     * @param action a verb, such as emit
     * @param route on which route, if on one
     * @param target what it was done to
     * @param rows how many it concerned
     */
    public record Deed(String action, @Nullable String route, String target, String reason, long rows) {}

    private final Schema schema;
    private final Signature signature;

    /** In the name of this caller. */
    public PostgresActions(Schema schema, String who) {
        this(schema, new Signature(who));
    }

    PostgresActions(Schema schema, Signature signature) {
        this.schema = schema;
        this.signature = signature;
    }

    /** In a transaction of its own. */
    public void record(DataSource database, Deed deed) {
        try (Connection connection = database.getConnection()) {
            record(connection, deed);
        } catch (SQLException failed) {
            throw OperatorErrors.translate("record an action in schema", schema, failed);
        }
    }

    /** In the caller's transaction. */
    public void record(Connection connection, Deed deed) {
        try (PreparedStatement statement = signature.prepare(connection, Sql.load("record_action", schema))) {
            new Parameters(statement)
                    .name("action", deed.action())
                    .name("route name", deed.route())
                    .text("target", deed.target())
                    .remark(deed.reason())
                    .value(deed.rows());
            try (ResultSet row = signature.run(statement)) {
                row.next();
            }
        } catch (SQLException failed) {
            throw OperatorErrors.translate("record an action in schema", schema, failed);
        }
    }
}
