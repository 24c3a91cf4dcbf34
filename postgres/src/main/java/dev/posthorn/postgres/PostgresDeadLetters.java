package dev.posthorn.postgres;

import dev.posthorn.deadletter.DeadLetter;
import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Keeps dead letters of consumers in the database, each together with a mark in the inbox.
 *
 * <p>A NUL character or an unpaired surrogate, which Postgres cannot store, is kept as a replacement character, and a long
 * reason is cut; bodies are kept as they came. Needs the rights of a {@link RoleKind#CONSUMER}. Thread-safe.
 */
public final class PostgresDeadLetters implements DeadLetterTarget {

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
            new Parameters(statement)
                    .text("dead letter ID", letter.id().toString())
                    .evidence(letter.source().consumer())
                    .evidence(letter.source().handler())
                    .evidence(letter.source().kind())
                    .evidence(letter.source().component())
                    .evidence(of(letter, event -> Optional.of(event.id()))
                            .map(UUID::toString)
                            .orElse(null))
                    .evidence(of(letter, event -> Optional.of(event.domain())).orElse(null))
                    .evidence(of(letter, event -> Optional.of(event.type())).orElse(null))
                    .evidence(of(letter, Event::key).orElse(null))
                    .evidence(of(letter, Event::tenant).orElse(null))
                    .evidence(letter.cause().kind())
                    .remark(letter.cause().reason())
                    .text("details", HeadersJson.evidence(letter.cause().details()))
                    .remark(letter.cause().remedy())
                    .value(letter.attempts())
                    .text("headers", HeadersJson.evidence(letter.raw().headers()))
                    .value(letter.raw().body())
                    .text("metadata", HeadersJson.evidence(letter.metadata()))
                    .value(letter.occurredAt().atOffset(ZoneOffset.UTC));
            statement.execute();
        } catch (SQLException failed) {
            throw new PosthornException(
                    "The dead letter could not be kept in Postgres: " + DatabaseFailure.reasonOf(failed), failed);
        }
    }

    private static <R> Optional<R> of(DeadLetter letter, Function<Event, Optional<R>> part) {
        return letter.decoded().flatMap(part);
    }
}
