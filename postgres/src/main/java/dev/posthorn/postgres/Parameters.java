package dev.posthorn.postgres;

import dev.posthorn.event.StorableText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Binds a statement's parameters one after the other, whole columns as arrays.
 *
 * <p>The only class that binds text, so that all of it passes {@link StorableText}; the caller decides what kind of text it is. A
 * remark is made storable. A name or a text is bound as it is or refused before anything is sent, so that the transaction goes on.
 */
final class Parameters {

    private static final String TEXT = "text";

    private final PreparedStatement statement;
    private final Connection connection;
    private int next;

    Parameters(PreparedStatement statement) throws SQLException {
        this.statement = statement;
        this.connection = statement.getConnection();
        this.next = 1;
    }

    /** A text for people: a reason, an error, a note. Null stays null. */
    Parameters remark(@Nullable String text) throws SQLException {
        statement.setString(next++, text == null ? null : StorableText.remark(text));
        return this;
    }

    Parameters remark(Optional<String> text) throws SQLException {
        return remark(text.orElse(null));
    }

    /** A text that must be kept although it may not be storable as it is, such as a header of a message that is no event. */
    Parameters evidence(@Nullable String text) throws SQLException {
        statement.setString(next++, text == null ? null : StorableText.evidence(text));
        return this;
    }

    /** A text that identifies something; the field is how users know it. */
    Parameters name(String field, @Nullable String text) throws SQLException {
        statement.setString(next++, text == null ? null : StorableText.name(field, text));
        return this;
    }

    /** A value, or a name that comes from the database and is as long as that allowed. */
    Parameters text(String field, @Nullable String text) throws SQLException {
        statement.setString(next++, text == null ? null : StorableText.value(field, text));
        return this;
    }

    Parameters names(String field, Collection<String> names) throws SQLException {
        return array(
                TEXT, names.stream().map(name -> StorableText.name(field, name)).toArray());
    }

    /** An array, or null if there is nothing in it. */
    Parameters namesOrNull(String field, Collection<String> names) throws SQLException {
        return names.isEmpty() ? noArray() : names(field, names);
    }

    Parameters texts(String field, Collection<String> texts) throws SQLException {
        return texts(field, texts, text -> text);
    }

    /** One column of a table of rows. */
    <R> Parameters texts(String field, Collection<R> rows, Function<R, @Nullable String> column) throws SQLException {
        return array(
                TEXT, rows.stream().map(column).map(text -> exact(field, text)).toArray());
    }

    private static @Nullable String exact(String field, @Nullable String text) {
        return text == null ? null : StorableText.value(field, text);
    }

    /** One column of remarks. */
    <R> Parameters remarks(Collection<R> rows, Function<R, @Nullable String> column) throws SQLException {
        return array(
                TEXT,
                rows.stream()
                        .map(column)
                        .map(text -> text == null ? null : StorableText.remark(text))
                        .toArray());
    }

    /** One column of a table of rows, as an array of that Postgres type, which is not text. */
    <R> Parameters column(String type, Collection<R> rows, Function<R, @Nullable Object> column) throws SQLException {
        return array(notText(type), rows.stream().map(column).toArray());
    }

    /** One column of bytes. */
    <R> Parameters bytes(Collection<R> rows, Function<R, byte[]> column) throws SQLException {
        return array("bytea", rows.stream().map(column).toArray(byte[][]::new));
    }

    Parameters array(String type, Collection<?> values) throws SQLException {
        return array(notText(type), values.toArray());
    }

    Parameters noArray() throws SQLException {
        statement.setNull(next++, Types.ARRAY);
        return this;
    }

    private Parameters array(String type, @Nullable Object[] values) throws SQLException {
        statement.setArray(next++, connection.createArrayOf(type, values));
        return this;
    }

    private static String notText(String type) {
        if (type.equals(TEXT)) {
            throw new IllegalArgumentException("Bind text by names, texts or remarks.");
        }
        return type;
    }

    Parameters value(boolean value) throws SQLException {
        statement.setBoolean(next++, value);
        return this;
    }

    Parameters value(short value) throws SQLException {
        statement.setShort(next++, value);
        return this;
    }

    Parameters value(int value) throws SQLException {
        statement.setInt(next++, value);
        return this;
    }

    Parameters value(long value) throws SQLException {
        statement.setLong(next++, value);
        return this;
    }

    Parameters value(double value) throws SQLException {
        statement.setDouble(next++, value);
        return this;
    }

    Parameters value(byte[] value) throws SQLException {
        statement.setBytes(next++, value);
        return this;
    }

    Parameters value(@Nullable UUID value) throws SQLException {
        statement.setObject(next++, value, Types.OTHER);
        return this;
    }

    Parameters value(OffsetDateTime value) throws SQLException {
        statement.setObject(next++, value);
        return this;
    }

    Parameters time(Optional<Instant> time) throws SQLException {
        if (time.isPresent()) {
            return value(time.get().atOffset(ZoneOffset.UTC));
        }
        statement.setNull(next++, Types.TIMESTAMP_WITH_TIMEZONE);
        return this;
    }

    Parameters number(OptionalLong number) throws SQLException {
        if (number.isPresent()) {
            return value(number.getAsLong());
        }
        statement.setNull(next++, Types.BIGINT);
        return this;
    }

    /** Whatever a user of this library gave; the field is how they know it. */
    Parameters given(String field, @Nullable Object value) throws SQLException {
        if (value == null) {
            statement.setNull(next++, Types.NULL);
        } else if (value instanceof String text) {
            return text(field, text);
        } else {
            statement.setObject(next++, value);
        }
        return this;
    }
}
