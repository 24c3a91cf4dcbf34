package dev.posthorn.examples.poker;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Statements with their values. */
final class Sql {

    private Sql() {}

    static int execute(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(connection, sql, values)) {
            return statement.executeUpdate();
        }
    }

    /** The version of an aggregate after a change that counts it up; no row if it may not happen. */
    static Optional<Aggregate> change(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(connection, sql, values);
                ResultSet row = statement.executeQuery()) {
            return row.next() ? Optional.of(new Aggregate(row.getString(1), row.getLong(2))) : Optional.empty();
        }
    }

    private static PreparedStatement prepared(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
