package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Binds a statement's parameters one after the other, whole columns as arrays. */
final class Parameters {

    private final PreparedStatement statement;
    private final Connection connection;
    private int next = 1;

    Parameters(PreparedStatement statement) throws SQLException {
        this.statement = statement;
        this.connection = statement.getConnection();
    }

    Parameters value(Object value) throws SQLException {
        statement.setObject(next++, value);
        return this;
    }

    /** One column of a table of rows, as an array of that Postgres type. */
    <R> Parameters column(String type, Collection<R> rows, Function<R, @Nullable Object> column) throws SQLException {
        Object[] values = rows.stream().map(column).toArray();
        statement.setArray(next++, connection.createArrayOf(type, values));
        return this;
    }

    Parameters array(String type, Collection<?> values) throws SQLException {
        statement.setArray(next++, connection.createArrayOf(type, values.toArray()));
        return this;
    }

    /** An array, or null if there is nothing in it. */
    Parameters arrayOrNull(String type, Collection<?> values) throws SQLException {
        return values.isEmpty() ? noArray() : array(type, values);
    }

    Parameters time(Optional<Instant> time) throws SQLException {
        if (time.isPresent()) {
            statement.setObject(next++, time.get().atOffset(ZoneOffset.UTC));
        } else {
            statement.setNull(next++, Types.TIMESTAMP_WITH_TIMEZONE);
        }
        return this;
    }

    Parameters text(Optional<String> text) throws SQLException {
        statement.setString(next++, text.orElse(null));
        return this;
    }

    Parameters number(OptionalLong number) throws SQLException {
        if (number.isPresent()) {
            statement.setLong(next++, number.getAsLong());
        } else {
            statement.setNull(next++, Types.BIGINT);
        }
        return this;
    }

    Parameters noArray() throws SQLException {
        statement.setNull(next++, Types.ARRAY);
        return this;
    }
}
