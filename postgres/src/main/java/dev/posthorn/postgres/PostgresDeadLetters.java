package dev.posthorn.postgres;

import dev.posthorn.deadletter.DeadLetter;
import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps dead letters of consumers in the database, each together with a mark in the inbox.
 *
 * <p>Text with a zero byte, which Postgres can not hold, is kept with a replacement character instead; bodies are kept as
 * they came. Needs the rights of a {@link RoleKind#CONSUMER}. Thread-safe.
 */
public final class PostgresDeadLetters implements DeadLetterTarget {

    private static final String EMPTY = "{}";

    private final DataSource database;
    private final String keep;

    public PostgresDeadLetters(DataSource database, Schema schema) {
        this.database = database;
        this.keep = Sql.load("keep_letter", schema);
    }

    @Override
    public void keep(DeadLetter letter) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(keep)) {
            connection.setAutoCommit(true);
            Row row = new Row(statement);
            row.text(letter.id().toString());
            row.text(letter.source().consumer());
            row.text(letter.source().handler());
            row.text(letter.source().kind());
            row.text(letter.source().component());
            row.text(of(letter, event -> Optional.of(event.id()))
                    .map(UUID::toString)
                    .orElse(null));
            row.text(of(letter, event -> Optional.of(event.domain())).orElse(null));
            row.text(of(letter, event -> Optional.of(event.type())).orElse(null));
            row.text(of(letter, Event::key).orElse(null));
            row.text(of(letter, Event::tenant).orElse(null));
            row.text(letter.cause().kind());
            row.text(letter.cause().reason());
            row.text(json(letter.cause().details()));
            row.text(letter.cause().remedy());
            statement.setInt(row.next(), letter.attempts());
            row.text(json(letter.raw().headers()));
            statement.setBytes(row.next(), letter.raw().body());
            row.text(json(letter.metadata()));
            statement.setObject(row.next(), letter.occurredAt().atOffset(ZoneOffset.UTC));
            statement.execute();
        } catch (SQLException failed) {
            throw new PosthornException(
                    "The dead letter could not be kept in Postgres: " + failed.getMessage(), failed);
        }
    }

    private static <R> Optional<R> of(DeadLetter letter, Function<Event, Optional<R>> part) {
        return letter.decoded().flatMap(part);
    }

    private static String json(Map<String, String> map) {
        Map<String, String> clean = new TreeMap<>();
        map.forEach((name, value) -> clean.put(storable(name), storable(value)));
        String json = HeadersJson.write(clean);
        return json == null ? EMPTY : json;
    }

    private static String storable(String text) {
        return text.replace('\0', '\uFFFD');
    }

    /** Fills in one value after the other. */
    private static final class Row {

        private final PreparedStatement statement;
        private int filled;

        Row(PreparedStatement statement) {
            this.statement = statement;
        }

        int next() {
            return ++filled;
        }

        void text(@Nullable String value) throws SQLException {
            statement.setString(next(), value == null ? null : storable(value));
        }
    }
}
