package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Effects that the domain itself knows by a key, such as a posting by transfer and type: the row is inserted unless there is
 * one, so the effect happens once whatever event brings it and whoever consumes. The table needs a unique index on the key.
 *
 * <p>Beside an inbox it guards against what no inbox knows: two events that mean the same. Immutable.
 */
public final class DomainKey {

    private static final String NO_UNIQUE_INDEX = "42P10";

    private final String table;
    private final Set<String> key;

    private DomainKey(String table, List<String> key) {
        this.table = table;
        this.key = Collections.unmodifiableSet(new LinkedHashSet<>(key));
        if (this.key.isEmpty()) {
            throw new IllegalArgumentException("The key of " + table + " has no columns. Name at least one.");
        }
    }

    /**
     * The key of a table.
     *
     * @param schema in which it is
     * @param key its columns; names are taken as they are, so {@code Id} is not {@code id}
     */
    public static DomainKey of(Schema schema, String table, String... key) {
        return new DomainKey(schema.quoted() + "." + Identifiers.quote(table), List.of(key));
    }

    /**
     * Inserts a row in the caller's transaction, unless there is one with the same key. Waits for another transaction that
     * inserts the same, and inserts if that one is undone.
     *
     * @param row by column; has at least those of the key
     * @return whether it is the first one; false if there was one, which stays as it is
     * @throws PosthornException if a column of the key is missing or the table has no unique index on the key
     */
    public boolean insert(Connection connection, Map<String, ?> row) throws SQLException {
        if (!row.keySet().containsAll(key)) {
            Set<String> missing = new HashSet<>(key);
            missing.removeAll(row.keySet());
            throw new PosthornException("The row for " + table + " lacks " + missing + ", which is of its key.");
        }
        List<String> columns = List.copyOf(row.keySet());
        try (PreparedStatement insert = connection.prepareStatement(statement(columns))) {
            Parameters bind = new Parameters(insert);
            for (String column : columns) {
                bind.given("column " + column + " of " + table, row.get(column));
            }
            return insert.executeUpdate() == 1;
        } catch (SQLException failed) {
            if (NO_UNIQUE_INDEX.equals(failed.getSQLState())) {
                throw new PosthornException(
                        "The table " + table + " has no unique index on " + key
                                + ", so it can not be told whether a row is"
                                + " the first. Create one on exactly these columns.",
                        failed);
            }
            throw failed;
        }
    }

    private String statement(List<String> columns) {
        String values = columns.stream().map(any -> "?").collect(Collectors.joining(", "));
        // In one go: a name may look like a placeholder.
        return String.format(
                Sql.fragment("insert_once", Schema.DEFAULT), table, names(columns), values, names(List.copyOf(key)));
    }

    private static String names(List<String> columns) {
        return columns.stream().map(Identifiers::quote).collect(Collectors.joining(", "));
    }
}
