package dev.posthorn.postgres;

import static dev.posthorn.outbox.EmitOption.IDEMPOTENT;
import static dev.posthorn.outbox.EmitOption.SERIALISED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Change;
import dev.posthorn.outbox.Commit;
import dev.posthorn.outbox.DuplicateEventException;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitFailedException;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.InvalidChangeException;
import dev.posthorn.outbox.NoTransactionException;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.outbox.PayloadTooLargeException;
import dev.posthorn.outbox.SchemaMissingException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** A change, its events and the commit, sent together. */
class CommitWithChangeTest {

    private static final String INSERT = "INSERT INTO purchase (id, total, note) VALUES (?, ?, ?)";

    private static TestPostgres postgres;

    private final Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);

    @BeforeAll
    static void createDatabase() throws SQLException {
        postgres = TestPostgres.migrated();
        postgres.run("CREATE TABLE purchase (id uuid PRIMARY KEY, total numeric, note text)");
        postgres.run("CREATE TABLE item (purchase uuid REFERENCES purchase DEFERRABLE INITIALLY DEFERRED)");
    }

    @BeforeEach
    void emptyTheTables() throws SQLException {
        postgres.run("TRUNCATE posthorn.outbox, purchase, item");
    }

    @Test
    void theChangeTheEventAndWhatWasDoneBeforeAreCommitted() throws SQLException {
        UUID id = UUID.randomUUID();
        Event event = event("a");
        try (Connection connection = postgres.transaction()) {
            // Given
            TestPostgres.run(connection, "INSERT INTO item VALUES ('" + id + "')");

            // When
            Commit commit =
                    outbox.commit(connection, Change.of(INSERT + " -- why", id, new BigDecimal("4.20"), null), event);

            // Then
            assertThat(commit).isEqualTo(new Commit(1, new Emission(List.of(event.id()), List.of())));
            assertThat(connection.unwrap(BaseConnection.class).getTransactionState())
                    .isEqualTo(TransactionState.IDLE);
        }
        assertThat(postgres.rows("SELECT p.total, p.note IS NULL, o.id FROM purchase p"
                        + " JOIN item i ON i.purchase = p.id CROSS JOIN posthorn.outbox o"))
                .containsExactly("4.20|t|" + event.id());
        assertThat(postgres.rows("SELECT count(*) FROM posthorn.outbox o, purchase p WHERE o.tx::xid = p.xmin"))
                .containsExactly("1");
    }

    @Test
    void theNumberOfRowsIsToldAndNoneIsNoError() throws SQLException {
        try (Connection connection = postgres.transaction()) {
            outbox.commit(connection, insert());
            outbox.commit(connection, insert());
            String update = "UPDATE purchase SET note = ? WHERE total = ?";

            assertThat(outbox.commit(connection, Change.of(update, "a ; b", 1)).rows())
                    .isEqualTo(2);
            assertThat(outbox.commit(connection, Change.of(update, "c", 404), event("a"))
                            .rows())
                    .isZero();
            assertThat(outbox.commit(connection, Change.of("SELECT 7"), event("a"))
                            .rows())
                    .isEqualTo(-1);
        }
        assertThat(count("purchase WHERE note = 'a ; b'")).isEqualTo(2);
        assertThat(count("posthorn.outbox")).isEqualTo(2);
    }

    @Test
    void theOptionsWorkAsInAnEmit() throws SQLException {
        Event known = event("a");
        Event fresh = event("b");
        try (Connection connection = postgres.transaction()) {
            outbox.commit(connection, insert(), known);

            Commit again = outbox.commit(connection, insert(), List.of(known, fresh), IDEMPOTENT, SERIALISED);

            assertThat(again).isEqualTo(new Commit(1, new Emission(List.of(fresh.id()), List.of(known.id()))));
            assertThatThrownBy(() -> outbox.commit(connection, insert(), known))
                    .isInstanceOf(DuplicateEventException.class);
            assertThat(connection.getAutoCommit()).isFalse();
            assertThatThrownBy(() -> TestPostgres.run(connection, "SELECT 1")).hasMessageContaining("aborted");
            connection.rollback();
        }
        assertThat(count("purchase")).isEqualTo(2);
        assertThat(count("posthorn.outbox")).isEqualTo(2);
    }

    @Test
    void ifTheChangeFailsNothingIsCommitted() throws SQLException {
        Change change = insert();
        try (Connection connection = postgres.transaction()) {
            outbox.commit(connection, change);
            TestPostgres.run(connection, "INSERT INTO purchase VALUES (gen_random_uuid())");

            assertThatThrownBy(() -> outbox.commit(connection, change, event("a")))
                    .isInstanceOfSatisfying(
                            EmitFailedException.class,
                            e -> assertThat(e.sqlState()).isEqualTo("23505"))
                    .hasMessageContaining("purchase_pkey");
            connection.rollback();
        }
        assertThat(count("purchase")).isEqualTo(1);
        assertThat(count("posthorn.outbox")).isZero();
    }

    @Test
    void ifTheCommitFailsNothingIsCommitted() throws SQLException {
        try (Connection connection = postgres.transaction()) {
            assertThatThrownBy(() -> outbox.commit(
                            connection, Change.of("INSERT INTO item VALUES (?)", UUID.randomUUID()), event("a")))
                    .isInstanceOfSatisfying(
                            EmitFailedException.class,
                            e -> assertThat(e.sqlState()).isEqualTo("23503"));
        }
        assertThat(count("item")).isZero();
        assertThat(count("posthorn.outbox")).isZero();
    }

    @Test
    void whatIsMissingIsNotMistakenForTheSchema() throws SQLException {
        Outbox elsewhere = new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(new Schema("nowhere")));
        try (Connection connection = postgres.transaction()) {
            assertThatThrownBy(() -> elsewhere.commit(connection, insert(), event("a")))
                    .isInstanceOf(SchemaMissingException.class);
            connection.rollback();
            assertThatThrownBy(() -> outbox.commit(connection, Change.of("DELETE FROM nothing"), event("a")))
                    .isInstanceOf(EmitFailedException.class)
                    .hasMessageContaining("\"nothing\"");
            connection.rollback();
        }
        assertThat(count("purchase")).isZero();
    }

    @Test
    void whatCanBeRefusedBeforeItIsSentIs() throws SQLException {
        Outbox small = new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withMaxPayloadBytes(1));
        try (Connection connection = postgres.transaction()) {
            assertThatThrownBy(() -> small.commit(connection, insert(), event("a")))
                    .isInstanceOf(PayloadTooLargeException.class);
            assertThatThrownBy(() -> outbox.commit(connection, Change.of(INSERT, UUID.randomUUID(), 1), event("a")))
                    .isInstanceOf(EmitFailedException.class)
                    .hasMessageContaining("parameter");
            assertThatThrownBy(() ->
                            outbox.commit(connection, Change.of(INSERT, UUID.randomUUID(), 1, "", "more"), event("a")))
                    .isInstanceOf(EmitFailedException.class);
            connection.commit();
            connection.setAutoCommit(true);
            assertThatThrownBy(() -> outbox.commit(connection, insert(), event("a")))
                    .isInstanceOf(NoTransactionException.class);
        }
        assertThat(count("purchase")).isZero();
    }

    /** The driver begins a transaction with what the connection was set to, so this must not go around it. */
    @Test
    void theConnectionsIsolationAndReadOnlyAreKept() throws SQLException {
        try (Connection connection = postgres.transaction()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            outbox.commit(
                    connection,
                    Change.of(
                            "INSERT INTO purchase VALUES (?, 1, current_setting('transaction_isolation'))",
                            UUID.randomUUID()),
                    event("a"));
            connection.setReadOnly(true);
            assertThatThrownBy(() -> outbox.commit(connection, insert(), event("a")))
                    .isInstanceOfSatisfying(
                            EmitFailedException.class,
                            e -> assertThat(e.sqlState()).isEqualTo("25006"));
            connection.rollback();
        }
        assertThat(postgres.rows("SELECT note FROM purchase")).containsExactly("serializable");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "DELETE FROM a; DELETE FROM b", " commit", "Rollback", "END", "begin work"})
    void aChangeIsOneStatementThatLeavesTheTransactionAlone(String sql) {
        assertThatThrownBy(() -> Change.of(sql))
                .isInstanceOf(InvalidChangeException.class)
                .hasMessageContaining("\"" + sql + "\" can not be sent with the commit");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 20})
    void allOfItIsOneRoundTrip(int number) throws Exception {
        List<EmitOption[]> choices = List.of(new EmitOption[] {}, new EmitOption[] {IDEMPOTENT, SERIALISED});
        try (RoundTripCounter counter = new RoundTripCounter(postgres.dataSource());
                Connection connection = counter.connect()) {
            for (EmitOption[] options : choices) {
                // More often than the driver's prepare threshold, so that both ways of sending are counted.
                for (int repeat = 0; repeat < 8; repeat++) {
                    List<Event> events = IntStream.range(0, number)
                            .mapToObj(i -> event("key-" + i))
                            .toList();

                    // When
                    outbox.commit(connection, insert(), events, options);

                    // Then
                    assertThat(counter.take())
                            .as("%s events, %s", number, List.of(options))
                            .isEqualTo(1);
                }
            }
        }
        assertThat(count("purchase")).isEqualTo(8 * choices.size());
        assertThat(count("posthorn.outbox")).isEqualTo(number * 8 * choices.size());
    }

    private static Change insert() {
        return Change.of(INSERT, UUID.randomUUID(), 1, "");
    }

    private static Event event(String key) {
        return Event.of("shop", "order.placed").key(key).json("{}").build();
    }

    private static int count(String table) throws SQLException {
        return Integer.parseInt(postgres.rows("SELECT count(*) FROM " + table).get(0));
    }
}
