package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Removes what the inbox need not know any more, and dead letters whose retention is over, in small transactions.
 *
 * <p>Letters that were handled or discarded, and what is remembered of calls to the outside, go with the retention of the
 * inbox, if not before. Commands go, with their workflow runs, and positions when retentions of their own are over. One at a time prunes a schema;
 * whoever comes second removes nothing. Thread-safe.
 */
public final class PostgresInboxPruner {

    private static final List<String> DONE = List.of("HANDLED", "DISCARDED");
    private static final List<String> ANY = List.of("DEAD", "HANDLED", "DISCARDED");

    /** What one run removed. */
    public record Report(long marks, long letters, long calls, long commands, long positions) {

        public static final Report NOTHING = new Report(0, 0, 0, 0, 0);
    }

    private final DataSource database;
    private final Schema schema;
    private final InboxRetention retention;

    public PostgresInboxPruner(DataSource database, Schema schema, InboxRetention retention) {
        this.database = database;
        this.schema = schema;
        this.retention = retention;
    }

    public Report prune() {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            return new Report(
                    older(connection, "prune_inbox", retention.inbox()),
                    letters(connection),
                    older(connection, "prune_calls", retention.inbox()),
                    older(connection, "prune_commands", retention.commands()),
                    older(connection, "prune_positions", retention.positions()));
        } catch (SQLException failed) {
            throw OperatorErrors.translate("prune the inbox of schema", schema, failed);
        }
    }

    private long older(Connection connection, String statement, Duration than) throws SQLException {
        try (PreparedStatement remove = connection.prepareStatement(Sql.load(statement, schema))) {
            remove.setLong(1, than.toMillis());
            remove.setInt(2, PostgresPruner.CHUNK);
            return untilNoneIsLeft(remove);
        }
    }

    private long letters(Connection connection) throws SQLException {
        long removed = letters(connection, DONE, null, retention.inbox());
        for (Map.Entry<String, Duration> domain : retention.byDomain().entrySet()) {
            removed += letters(connection, ANY, domain.getKey(), domain.getValue());
        }
        if (retention.letters().isPresent()) {
            removed += letters(connection, ANY, null, retention.letters().get());
        }
        return removed;
    }

    private long letters(Connection connection, List<String> states, @Nullable String domain, Duration older)
            throws SQLException {
        Set<String> others =
                states.equals(DONE) ? Set.of() : retention.byDomain().keySet();
        try (PreparedStatement remove = connection.prepareStatement(Sql.load("prune_letters", schema))) {
            new Parameters(remove)
                    .names("state", states)
                    .name("domain", domain)
                    .names("domain", others)
                    .value(older.toMillis())
                    .value(PostgresPruner.CHUNK);
            return untilNoneIsLeft(remove);
        }
    }

    private static long untilNoneIsLeft(PreparedStatement remove) throws SQLException {
        long all = 0;
        long removed;
        do {
            try (ResultSet row = remove.executeQuery()) {
                row.next();
                removed = row.getLong(1);
                all += removed;
            }
        } while (removed == PostgresPruner.CHUNK);
        return all;
    }
}
