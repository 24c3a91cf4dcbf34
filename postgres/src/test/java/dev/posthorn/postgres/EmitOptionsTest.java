package dev.posthorn.postgres;

import static dev.posthorn.outbox.EmitOption.IDEMPOTENT;
import static dev.posthorn.outbox.EmitOption.SERIALISED;
import static dev.posthorn.outbox.EmitOption.WITH_COMMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.DuplicateEventException;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitFailedException;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.core.TransactionState;

class EmitOptionsTest {

    private static TestPostgres postgres;

    private final Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);

    @BeforeAll
    static void createDatabase() throws SQLException {
        postgres = TestPostgres.migrated();
        postgres.run("CREATE TABLE account (id int PRIMARY KEY)");
        postgres.run("CREATE TABLE booking (account int REFERENCES account DEFERRABLE INITIALLY DEFERRED)");
    }

    @BeforeEach
    void emptyTheLog() throws SQLException {
        postgres.run("TRUNCATE posthorn.outbox");
    }

    @Test
    void anIdempotentEmitReportsWhatWasNewAndWhatWasKnown() throws SQLException {
        // Given
        Event known = event("a");
        Event first = event("a");
        Event second = event("b");
        commit(List.of(known));

        // When
        Emission emission = commit(List.of(first, known, second, first), IDEMPOTENT);

        // Then
        assertThat(emission).isEqualTo(new Emission(List.of(first.id(), second.id()), List.of(known.id(), first.id())));
        assertThat(postgres.rows("SELECT id FROM posthorn.outbox ORDER BY seq"))
                .containsExactly(
                        known.id().toString(),
                        first.id().toString(),
                        second.id().toString());
    }

    @Test
    void anIdempotentEmitWithNothingNewIsNoError() throws SQLException {
        // Given
        Event known = event("a");
        commit(List.of(known));

        // When
        Emission emission = commit(List.of(known), IDEMPOTENT, SERIALISED, WITH_COMMIT);

        // Then
        assertThat(emission).isEqualTo(new Emission(List.of(), List.of(known.id())));
    }

    @Test
    void aRoleThatMayOnlyInsertCanUseEveryOption() throws SQLException {
        // Given
        TestRole producer = TestRole.create(postgres, Schema.DEFAULT, RoleKind.PRODUCER);
        Event event = event("a");
        try (Connection connection = producer.dataSource().getConnection()) {
            connection.setAutoCommit(false);

            // When
            outbox.emit(connection, List.of(event), SERIALISED);
            outbox.emit(connection, List.of(event("a"), event("b")), SERIALISED);
            Emission again = outbox.emit(connection, List.of(event), IDEMPOTENT, WITH_COMMIT);

            // Then
            assertThat(again.known()).containsExactly(event.id());
            assertThatThrownBy(() -> outbox.emit(connection, event)).isInstanceOf(DuplicateEventException.class);
            connection.rollback();
            assertThatThrownBy(() -> TestPostgres.rows(connection, "SELECT id FROM posthorn.outbox"))
                    .hasMessageContaining("permission denied");
        }
        assertThat(count()).isEqualTo(3);
    }

    @Test
    void serialisedEmitsOfOneKeyAreInTheOrderOfTheirCommits() throws Exception {
        // Given a transaction that holds the key
        Event earlier = event("key");
        Event later = event("key");
        try (Connection one = postgres.transaction();
                Connection two = postgres.transaction()) {
            outbox.emit(one, List.of(earlier), SERIALISED);
            int waiting = Integer.parseInt(
                    TestPostgres.rows(two, "SELECT pg_backend_pid()").get(0));
            two.commit();

            // When another one wants it, the sequence has not yet given it a place
            CompletableFuture<Emission> second =
                    CompletableFuture.supplyAsync(() -> outbox.emit(two, List.of(later), SERIALISED, WITH_COMMIT));
            awaitLockWaitOf(waiting);
            outbox.emit(one, List.of(event("key")), WITH_COMMIT);
            second.get();
        }

        // Then
        List<String> ids = postgres.rows("SELECT id FROM posthorn.outbox ORDER BY seq");
        assertThat(ids)
                .hasSize(3)
                .startsWith(earlier.id().toString())
                .endsWith(later.id().toString());
        assertThat(postgres.rows("SELECT count(DISTINCT tx) FROM posthorn.outbox"))
                .containsExactly("2");
    }

    @Test
    void everyKeyIsLockedAlsoIfTheDriverFetchesRowByRow() throws SQLException {
        try (Connection connection = postgres.transaction()) {
            // Given
            connection.unwrap(PGConnection.class).setDefaultFetchSize(1);

            // When
            outbox.emit(connection, List.of(event("a"), event("b"), event("c"), event("a")), SERIALISED);

            // Then
            assertThat(TestPostgres.rows(
                            connection,
                            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"))
                    .containsExactly("3");
        }
    }

    @Test
    void serialisedEmitsOfOtherKeysDoNotWait() throws SQLException {
        try (Connection one = postgres.transaction();
                Connection two = postgres.transaction()) {
            outbox.emit(one, List.of(event("a"), event("c")), SERIALISED);
            outbox.emit(two, List.of(event("b"), keyless()), SERIALISED, WITH_COMMIT);
            assertThat(count()).isEqualTo(2);
        }
    }

    @Test
    void withCommitTheTransactionIsOverAndTheConnectionIdle() throws SQLException {
        try (Connection connection = postgres.transaction()) {
            // Given
            TestPostgres.run(connection, "INSERT INTO account VALUES (1)");

            // When
            outbox.emit(connection, List.of(event("a")), WITH_COMMIT);

            // Then
            assertThat(connection
                            .unwrap(org.postgresql.core.BaseConnection.class)
                            .getTransactionState())
                    .isEqualTo(TransactionState.IDLE);
            assertThat(count()).isEqualTo(1);
            assertThat(postgres.rows("SELECT id FROM account WHERE id = 1")).hasSize(1);
            connection.commit();
            connection.rollback();
            outbox.emit(connection, List.of(event("a")), WITH_COMMIT);
            assertThat(count()).isEqualTo(2);
        }
    }

    @Test
    void aConstraintThatFailsAtTheCommitEmitsNothing() throws SQLException {
        try (Connection connection = postgres.transaction()) {
            // Given
            TestPostgres.run(connection, "INSERT INTO booking VALUES (404)");

            // When
            assertThatThrownBy(() -> outbox.emit(connection, List.of(event("a"), event("b")), WITH_COMMIT))
                    .isInstanceOfSatisfying(
                            EmitFailedException.class,
                            e -> assertThat(e.sqlState()).isEqualTo("23503"));

            // Then
            assertThat(count()).isZero();
            outbox.emit(connection, List.of(event("a")), WITH_COMMIT);
            assertThat(count()).isEqualTo(1);
        }
    }

    @Test
    void withCommitAnAbortedTransactionIsNotMistakenForACommittedOne() throws SQLException {
        try (Connection connection = postgres.transaction()) {
            // Given
            assertThatThrownBy(() -> TestPostgres.run(connection, "SELECT 1/0")).isInstanceOf(SQLException.class);

            // When
            assertThatThrownBy(() -> outbox.emit(connection, List.of(event("a")), WITH_COMMIT))
                    .isInstanceOfSatisfying(
                            EmitFailedException.class,
                            e -> assertThat(e.sqlState()).isEqualTo("25P02"));

            // Then
            connection.rollback();
            assertThat(count()).isZero();
        }
    }

    @Test
    void withCommitEmittingNothingStillCommits() throws SQLException {
        try (Connection connection = postgres.transaction()) {
            TestPostgres.run(connection, "INSERT INTO account VALUES (2)");
            outbox.emit(connection, List.of(), WITH_COMMIT);
            assertThat(postgres.rows("SELECT id FROM account WHERE id = 2")).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 500})
    void anyNumberOfEventsWithAnyOptionsIsOneRoundTrip(int number) throws Exception {
        List<EmitOption[]> choices = List.of(
                new EmitOption[] {},
                new EmitOption[] {IDEMPOTENT},
                new EmitOption[] {SERIALISED},
                new EmitOption[] {WITH_COMMIT},
                new EmitOption[] {IDEMPOTENT, SERIALISED, WITH_COMMIT});
        try (RoundTripCounter counter = new RoundTripCounter(postgres.dataSource());
                Connection connection = counter.connect()) {
            for (EmitOption[] options : choices) {
                // More often than the driver's prepare threshold, so that both ways of sending are counted.
                for (int repeat = 0; repeat < 8; repeat++) {
                    List<Event> events = IntStream.range(0, number)
                            .mapToObj(i -> event("key-" + i))
                            .toList();

                    // When
                    outbox.emit(connection, events, options);

                    // Then
                    assertThat(counter.take())
                            .as("%s events, %s", number, List.of(options))
                            .isEqualTo(1);
                }
            }
            connection.commit();
        }
        assertThat(count()).isEqualTo(number * 8 * choices.size());
    }

    /** Until the server says so; the loop only asks. */
    private static void awaitLockWaitOf(int pid) throws SQLException {
        List<String> waiting = List.of();
        while (waiting.isEmpty()) {
            waiting = postgres.rows(
                    "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND pid = " + pid);
        }
    }

    private Emission commit(List<Event> events, EmitOption... options) throws SQLException {
        try (Connection connection = postgres.transaction()) {
            Emission emission = outbox.emit(connection, events, options);
            connection.commit();
            return emission;
        }
    }

    private static int count() throws SQLException {
        return Integer.parseInt(
                postgres.rows("SELECT count(*) FROM posthorn.outbox").get(0));
    }

    private static Event event(String key) {
        return Event.of("shop", "order.placed").key(key).json("{}").build();
    }

    private static Event keyless() {
        return Event.of("shop", "order.placed").json("{}").build();
    }
}
