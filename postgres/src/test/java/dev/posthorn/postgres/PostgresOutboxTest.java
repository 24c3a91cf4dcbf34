package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.DuplicateEventException;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitFailedException;
import dev.posthorn.outbox.NoTransactionException;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.outbox.PayloadTooLargeException;
import dev.posthorn.outbox.SchemaMissingException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresOutboxTest {

    private static TestPostgres postgres;

    private final Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);

    @BeforeAll
    static void createDatabase() {
        postgres = TestPostgres.migrated();
    }

    @BeforeEach
    void emptyTheLog() throws SQLException {
        postgres.run("TRUNCATE posthorn.outbox");
    }

    @Test
    void anEventIsEmittedWhenItsTransactionCommits() throws SQLException {
        // Given
        Event event = order("placed");
        try (Connection connection = postgres.transaction()) {
            Emission emission = outbox.emit(connection, event);
            assertThat(emission).isEqualTo(new Emission(List.of(event.id()), List.of()));
            assertThat(emittedIds()).isEmpty();

            // When
            connection.commit();
        }

        // Then
        assertThat(emittedIds()).containsExactly(event.id());
    }

    @Test
    void anEventOfARolledBackTransactionNeverWas() throws SQLException {
        // Given
        try (Connection connection = postgres.transaction()) {
            outbox.emit(connection, order("placed"), order("paid"));

            // When
            connection.rollback();
        }

        // Then
        assertThat(emittedIds()).isEmpty();
    }

    @Test
    void aRollbackToASavepointTakesOnlyWhatCameAfterIt() throws SQLException {
        // Given
        Event before = order("placed");
        Event after = order("paid");
        try (Connection connection = postgres.transaction()) {
            outbox.emit(connection, before);
            Savepoint savepoint = connection.setSavepoint();
            outbox.emit(connection, order("cancelled"));

            // When
            connection.rollback(savepoint);
            outbox.emit(connection, after);
            connection.commit();
        }

        // Then
        assertThat(emittedIds()).containsExactly(before.id(), after.id());
    }

    @Test
    void everyFieldArrivesAloneAndAmongOthers() throws SQLException {
        // Given
        Event full = full();
        Event other = full();

        // When
        commit(List.of(full));
        commit(List.of(other, order("bare")));

        // Then
        for (Event event : List.of(full, other)) {
            assertThat(postgres.rows("SELECT domain, type, key, sequence, aggregate_type, aggregate_id, tenant,"
                            + " correlation_id, causation_id, traceparent, content_type, encode(payload, 'hex'),"
                            + " occurred_at AT TIME ZONE 'UTC', deliver_after AT TIME ZONE 'UTC',"
                            + " headers->>'quote\"back\\slash' = E'line\\nß\\u0001😀' FROM posthorn.outbox WHERE id = '"
                            + event.id() + "'"))
                    .containsExactly("shop|order.placed|o-1 'ß😀|42|order|o-1|acme|corr|cause"
                            + "|00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01|application/x-raw|00ff0a7b"
                            + "|2026-01-02 03:04:05.678901|2030-01-01 00:00:00|t");
        }
        assertThat(postgres.rows(
                        "SELECT key, sequence, headers, deliver_after FROM posthorn.outbox WHERE type = 'bare'"))
                .containsExactly("o-1|||");
    }

    @Test
    void eventsOfOneCallKeepTheirOrderInTheLog() throws SQLException {
        // Given
        List<Event> events =
                IntStream.range(0, 1_000).mapToObj(i -> order("e" + i)).toList();

        // When
        commit(events);

        // Then
        assertThat(emittedIds())
                .containsExactlyElementsOf(events.stream().map(Event::id).toList());
    }

    @Test
    void anIdThatWasEmittedBeforeFailsAndSaysSo() throws SQLException {
        // Given
        Event event = order("placed");
        commit(List.of(event));

        // When
        try (Connection connection = postgres.transaction()) {

            // Then
            assertThatThrownBy(() -> outbox.emit(connection, event))
                    .isInstanceOf(DuplicateEventException.class)
                    .hasMessageContaining(event.id().toString())
                    .hasMessageContaining("IDEMPOTENT");
        }
        assertThat(emittedIds()).hasSize(1);
    }

    @Test
    void withoutATransactionNothingIsEmitted() throws SQLException {
        try (Connection connection = postgres.dataSource().getConnection()) {
            assertThatThrownBy(() -> outbox.emit(connection, order("placed")))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
        assertThat(emittedIds()).isEmpty();
    }

    @Test
    void aMissingSchemaSaysToMigrate() throws SQLException {
        Outbox elsewhere = new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(new Schema("nowhere")));
        try (Connection connection = postgres.transaction()) {
            assertThatThrownBy(() -> elsewhere.emit(connection, order("placed")))
                    .isInstanceOf(SchemaMissingException.class)
                    .hasMessageContaining("\"nowhere\"")
                    .hasMessageContaining("Run the migrations");
        }
    }

    @Test
    void aPayloadOverTheLimitIsRefusedBeforeAnythingIsSent() throws SQLException {
        // Given
        Outbox narrow = new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withMaxPayloadBytes(4));
        Event small = order("placed");
        Event large = Event.of("shop", "large")
                .payload(new byte[5], "application/x-raw")
                .build();
        try (Connection connection = postgres.transaction()) {

            // When
            assertThatThrownBy(() -> narrow.emit(connection, small, large))
                    .isInstanceOf(PayloadTooLargeException.class)
                    .hasMessageContaining(large.id().toString())
                    .hasMessageContaining("5 bytes and the limit is 4");

            // Then the transaction still works
            narrow.emit(connection, small);
            connection.commit();
        }
        assertThat(emittedIds()).containsExactly(small.id());
    }

    @Test
    void anAbortedTransactionIsNamedAsSuch() throws SQLException {
        try (Connection connection = postgres.transaction()) {
            assertThatThrownBy(() -> TestPostgres.run(connection, "SELECT 1/0")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> outbox.emit(connection, order("placed")))
                    .isInstanceOfSatisfying(EmitFailedException.class, e -> {
                        assertThat(e.sqlState()).isEqualTo("25P02");
                        assertThat(e.isRetryable()).isFalse();
                    })
                    .hasMessageContaining("An earlier statement of this transaction failed");
        }
    }

    @Test
    void aSerialisationFailureIsToBeRetried() throws SQLException {
        // Given two serialisable transactions that read what the other writes
        try (Connection one = postgres.transaction();
                Connection two = postgres.transaction()) {
            for (Connection connection : List.of(one, two)) {
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                TestPostgres.rows(connection, "SELECT count(*) FROM posthorn.outbox");
            }
            outbox.emit(one, order("placed"));
            outbox.emit(two, order("placed"));
            one.commit();

            // When
            assertThatThrownBy(() -> outbox.emit(two, order("paid")))

                    // Then
                    .isInstanceOfSatisfying(EmitFailedException.class, e -> {
                        assertThat(e.sqlState()).isEqualTo("40001");
                        assertThat(e.isRetryable()).isTrue();
                    })
                    .hasMessageContaining("retry the whole transaction");
        }
    }

    @Test
    void emittingNothingIsNoError() throws SQLException {
        try (Connection connection = postgres.transaction()) {
            assertThat(outbox.emit(connection)).isEqualTo(Emission.NOTHING);
        }
    }

    private void commit(List<Event> events) throws SQLException {
        try (Connection connection = postgres.transaction()) {
            outbox.emit(connection, events);
            connection.commit();
        }
    }

    private static List<UUID> emittedIds() throws SQLException {
        return postgres.rows("SELECT id FROM posthorn.outbox ORDER BY seq").stream()
                .map(UUID::fromString)
                .toList();
    }

    private static Event order(String type) {
        return Event.of("shop", type).key("o-1").json("{}").build();
    }

    private static Event full() {
        return Event.of("shop", "order.placed")
                .key("o-1 'ß😀")
                .sequence(42)
                .aggregate("order", "o-1")
                .tenant("acme")
                .correlationId("corr")
                .causationId("cause")
                .traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .header("quote\"back\\slash", "line\nß\u0001😀")
                .header("plain", "value")
                .payload(new byte[] {0, (byte) 0xFF, '\n', '{'}, "application/x-raw")
                .occurredAt(Instant.parse("2026-01-02T03:04:05.678901Z"))
                .deliverAfter(Instant.parse("2030-01-01T00:00:00Z"))
                .build();
    }
}
