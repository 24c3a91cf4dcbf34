package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.sql.DataSource;

/** An operator's questions to a schema: each is one statement with plain plans, and changes nothing. */
final class Looks {

    interface Mapper<T> {
        T map(ResultSet row) throws SQLException;
    }

    private final DataSource database;
    private final Schema schema;

    Looks(DataSource database, Schema schema) {
        this.database = database;
        this.schema = schema;
    }

    <T> List<T> query(String name, Connections.Binder binder, Mapper<T> mapper) {
        try (Connection connection = database.getConnection()) {
            return connection.getAutoCommit()
                    ? query(connection, Connections.asRead(Sql.load(name, schema)), binder, mapper)
                    : queryWithin(connection, Sql.load(name, schema), binder, mapper);
        } catch (SQLException e) {
            throw OperatorErrors.translate("look at the schema", schema, e);
        }
    }

    /** The same on a connection that the caller has. */
    static <T> List<T> query(Connection connection, String sql, Connections.Binder binder, Mapper<T> mapper)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            binder.bind(new Parameters(statement));
            try (ResultSet rows = Connections.readAnswer(statement)) {
                return all(rows, mapper);
            }
        } catch (SQLException e) {
            Connections.rollBackQuietly(connection, e);
            throw e;
        }
    }

    /** The same as a part of the caller's transaction, which goes on. */
    private static <T> List<T> queryWithin(
            Connection transaction, String sql, Connections.Binder binder, Mapper<T> mapper) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement(Connections.asPart(sql))) {
            binder.bind(new Parameters(statement));
            try (ResultSet rows = Connections.partAnswer(statement)) {
                return all(rows, mapper);
            }
        }
    }

    private static <T> List<T> all(ResultSet rows, Mapper<T> mapper) throws SQLException {
        List<T> found = new ArrayList<>();
        while (rows.next()) {
            found.add(mapper.map(rows));
        }
        return found;
    }

    static Instant time(ResultSet row, String column) throws SQLException {
        return optionalTime(row, column)
                .orElseThrow(() -> new PosthornException("The column " + column + " is empty."));
    }

    static Optional<Instant> optionalTime(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getTimestamp(column)).map(Timestamp::toInstant);
    }

    static Optional<String> text(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getString(column));
    }

    /** A map that was sent as an array of names and values in turn. */
    static Map<String, String> map(ResultSet row, String column) throws SQLException {
        Map<String, String> map = new TreeMap<>();
        Array sent = row.getArray(column);
        String[] pairs = (String[]) sent.getArray();
        for (int i = 0; i + 1 < pairs.length; i += 2) {
            map.put(pairs[i], String.valueOf(pairs[i + 1]));
        }
        return map;
    }
}
