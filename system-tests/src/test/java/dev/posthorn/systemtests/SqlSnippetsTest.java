package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The SQL of the documentation, run against what it is about. */
class SqlSnippetsTest {

    private static final UUID FIRST = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057");
    private static final UUID SECOND = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8058");
    private static final Snippets SNIPPETS = Snippets.load();

    private final SnippetDatabase snippets = SnippetDatabase.migrated(1);
    private final Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);

    @AfterEach
    void close() {
        snippets.close();
    }

    @Test
    void producersInAnyLanguageEmit() throws SQLException {
        snippets.run("CREATE TABLE orders (id text PRIMARY KEY, total int)");

        for (String name : List.of(
                "producer-emit", "producer-insert", "producer-emit-all", "producer-emit-json", "producer-emit-once")) {
            snippets.run(SNIPPETS.text(name));
        }

        assertThat(snippets.rows("SELECT key, content_type, deliver_after IS NULL FROM posthorn.outbox ORDER BY seq"))
                .containsExactly(
                        "order-17|application/json|t",
                        "order-18|application/json|t",
                        "order-19|application/x-protobuf|f",
                        "order-20|application/json|t",
                        "order-21|application/json|t");
    }

    @Test
    void aProducersRoleMayEmitAndNothingElse() throws SQLException {
        snippets.run("CREATE ROLE shop_service LOGIN");
        snippets.run(SNIPPETS.text("producer-grants"));
        try (HikariDataSource producer = snippets.poolOf("shop_service");
                Connection connection = producer.getConnection()) {
            connection.setAutoCommit(false);
            outbox.emit(connection, List.of(event(FIRST)), EmitOption.SERIALISED, EmitOption.IDEMPOTENT);
            outbox.emit(connection, event(SECOND));
            connection.commit();

            assertThatThrownBy(() -> SnippetDatabase.run(connection, "SELECT id FROM posthorn.outbox"))
                    .hasMessageContaining("permission denied");
            connection.rollback();
            assertThatThrownBy(() -> SnippetDatabase.run(
                            connection, "INSERT INTO posthorn.outbox (domain, type, tx) VALUES ('a', 'b', '1')"))
                    .hasMessageContaining("permission denied");
            connection.rollback();
        }
        assertThat(snippets.rows("SELECT count(*) FROM posthorn.outbox")).containsExactly("2");
    }

    @Test
    void theRolesOfARelayAndAnOperatorAreEnough() throws SQLException {
        snippets.run("CREATE ROLE shop_relay LOGIN; CREATE ROLE shop_operator LOGIN");
        snippets.run(SNIPPETS.text("relay-grants"));
        snippets.run(SNIPPETS.text("operator-grants"));
        commit(FIRST);
        Set<UUID> refused = ConcurrentHashMap.newKeySet();
        refused.add(FIRST);
        try (HikariDataSource pool = snippets.poolOf("shop_relay");
                HikariDataSource operator = snippets.poolOf("shop_operator");
                Relay relay = startRelay(pool, refused, RoutePolicy.AfterDead.HOLD)) {
            assertThat(relay).isNotNull();
            awaitState(FIRST, "FAILED");
            refused.clear();

            try (Connection connection = operator.getConnection()) {
                SnippetDatabase.run(connection, SNIPPETS.text("redrive"));
                SnippetDatabase.run(connection, SNIPPETS.text("status-of-event"));
                SnippetDatabase.run(connection, SNIPPETS.text("dead-letters"));
                SnippetDatabase.run(connection, SNIPPETS.text("blocked-keys"));
                SnippetDatabase.run(connection, SNIPPETS.text("failed-attempts"));
                SnippetDatabase.run(connection, SNIPPETS.text("operator-actions"));
                assertThatThrownBy(() -> SnippetDatabase.run(connection, "DELETE FROM posthorn.detour"))
                        .hasMessageContaining("permission denied");
            }

            awaitState(FIRST, "SENT");
        }
        assertThat(snippets.rows("SELECT who FROM posthorn.operator_action")).containsExactly("shop_operator");
    }

    @Test
    void aViewersRoleIsEnoughToLookAtEverythingUntilItIsRevoked() throws SQLException {
        snippets.run("CREATE ROLE shop_viewer LOGIN");
        snippets.run(SNIPPETS.text("viewer-grants"));
        try (HikariDataSource viewer = snippets.poolOf("shop_viewer");
                Connection connection = viewer.getConnection()) {
            for (String name : List.of(
                    "backlog",
                    "relays",
                    "status-of-event",
                    "blocked-keys",
                    "failed-attempts",
                    "dead-letters",
                    "operator-actions")) {
                SnippetDatabase.run(connection, SNIPPETS.text(name));
            }
            assertThatThrownBy(() -> SnippetDatabase.run(connection, "SELECT payload FROM posthorn.outbox"))
                    .hasMessageContaining("permission denied");

            snippets.run(SNIPPETS.text("revoke-role"));

            assertThatThrownBy(() -> SnippetDatabase.run(connection, SNIPPETS.text("relays")))
                    .hasMessageContaining("permission denied");
        }
    }

    @Test
    void anOperatorSeesWhatFailedAndDecides() throws SQLException {
        Set<UUID> refused = ConcurrentHashMap.newKeySet();
        refused.addAll(Set.of(FIRST, SECOND));
        commit(FIRST);
        commit(SECOND);
        try (Relay relay = startRelay(snippets.dataSource(), refused, RoutePolicy.AfterDead.HOLD)) {
            awaitState(FIRST, "FAILED");

            assertThat(snippets.rows(SNIPPETS.text("status-of-event"))).containsExactly("main|FAILED|1|||no printer");
            assertThat(snippets.rows(SNIPPETS.text("dead-letters")))
                    .singleElement()
                    .asString()
                    .startsWith("main|" + FIRST + "|order-17|1|no printer|");
            assertThat(snippets.rows(SNIPPETS.text("blocked-keys")))
                    .singleElement()
                    .asString()
                    .startsWith("main|order-17|0|")
                    .contains("|no printer|t|");
            assertThat(snippets.rows(SNIPPETS.text("failed-attempts")))
                    .singleElement()
                    .asString()
                    .endsWith("|relay-1|1|refused|no printer");
            assertThat(snippets.rows(SNIPPETS.text("relays")))
                    .singleElement()
                    .asString()
                    .startsWith("main|relay-1|")
                    .endsWith("|1");
            assertThat(snippets.rows("SELECT state FROM posthorn.outbox_status WHERE id = '" + SECOND + "'"))
                    .containsExactly("PARKED");

            refused.remove(FIRST);
            snippets.run(SNIPPETS.text("redrive"));
            awaitState(FIRST, "SENT");
            awaitState(SECOND, "FAILED");
            snippets.run(SNIPPETS.text("discard"));

            assertThat(snippets.rows("SELECT last_error FROM posthorn.outbox_status WHERE id = '" + SECOND + "'"))
                    .containsExactly("discarded by postgres: the order was a test");
            assertThat(snippets.rows(SNIPPETS.text("operator-actions"))).hasSize(2);
            Await.untilCounted(2, () -> relay.status().totals().dead());
        }
    }

    @Test
    void aCursorFindsWhatCommitsLate() throws SQLException {
        try (Connection slow = snippets.dataSource().getConnection()) {
            slow.setAutoCommit(false);
            outbox.emit(slow, Event.of("shop", "order.placed").key("slow").build());
            commit(FIRST);
            try (Relay relay = startRelay(snippets.dataSource(), Set.of(), RoutePolicy.AfterDead.CONTINUE)) {
                awaitState(FIRST, "SENT");
                Await.untilCounted(1, () -> relay.status().totals().published());
            }
            slow.commit();
        }
        commit(SECOND);

        assertThat(snippets.rows(SNIPPETS.text("cursor"))).containsExactly("late|1|slow", "fresh|3|order-17");
        assertThat(snippets.rows(SNIPPETS.text("backlog")))
                .singleElement()
                .asString()
                .startsWith("main|1|");
    }

    private static Relay startRelay(DataSource database, Set<UUID> refused, RoutePolicy.AfterDead afterDead) {
        RecordingTransport transport = RecordingTransport.answering(
                (event, attempt) -> refused.contains(event.id()) ? Outcome.refused("no printer") : Outcome.accepted());
        return Relay.start(
                PostgresRelayStores.open(
                        database, Schema.DEFAULT, Route.named("main").fromBeginning(), "relay-1"),
                transport.publisher(),
                RelayConfig.standard(),
                RoutePolicy.standard().withAfterDead(afterDead));
    }

    private void awaitState(UUID id, String state) {
        Await.until(
                () -> id + " to be " + state + ", is " + states(id),
                () -> states(id).equals(List.of(state)));
    }

    private List<String> states(UUID id) {
        return snippets.rows("SELECT state FROM posthorn.outbox_status WHERE id = '" + id + "'");
    }

    private void commit(UUID id) throws SQLException {
        try (Connection connection = snippets.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            outbox.emit(connection, List.of(event(id)), EmitOption.WITH_COMMIT);
        }
    }

    private static Event event(UUID id) {
        return Event.of("shop", "order.placed")
                .id(id)
                .key("order-17")
                .json("{}")
                .build();
    }
}
