package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.RetryPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each kind of role is enough for its whole job, in a schema and with names that need quoting. */
@Tag("slow")
class RolesTest {

    private static final Schema SCHEMA = new Schema("my-events");
    private static final String ROUTE = "main";

    private final TestPostgres postgres = TestPostgres.empty();
    private final Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(SCHEMA));

    @BeforeEach
    void migrate() {
        new Migrations(SCHEMA, 2).migrate(postgres.dataSource());
    }

    @Test
    void aProducerEmitsWithEveryOption() throws SQLException {
        // Given
        Event one = event("a");
        Event another = event("a");
        try (Connection connection = login(RoleKind.PRODUCER).dataSource().getConnection()) {
            connection.setAutoCommit(false);

            // When
            outbox.emit(connection, one);
            outbox.emit(connection, List.of(event("b"), event("c")), EmitOption.SERIALISED);
            Emission repeated = outbox.emit(
                    connection,
                    List.of(one, another),
                    EmitOption.SERIALISED,
                    EmitOption.IDEMPOTENT,
                    EmitOption.WITH_COMMIT);

            // Then
            assertThat(repeated).isEqualTo(new Emission(List.of(another.id()), List.of(one.id())));
        }
        assertThat(rows("SELECT count(*) FROM {schema}.outbox")).containsExactly("4");
    }

    @Test
    void aProducerInAnyLanguageEmits() throws SQLException {
        // Given
        TestRole producer = login(RoleKind.PRODUCER);
        String id = UUID.randomUUID().toString();

        // When
        producer.run(SCHEMA.in("SELECT {schema}.emit('shop', 'placed', '{}', key => 'k')"));
        producer.run(SCHEMA.in("SELECT {schema}.emit('shop', 'placed', '\\x00'::bytea, deliver_after => now())"));
        producer.run(SCHEMA.in("INSERT INTO {schema}.outbox (domain, type) VALUES ('shop', 'placed')"));
        for (int i = 0; i < 2; i++) {
            producer.run(SCHEMA.in("INSERT INTO {schema}.outbox (id, domain, type) VALUES ('" + id
                    + "', 'shop', 'placed') ON CONFLICT DO NOTHING"));
        }

        // Then
        assertThat(rows("SELECT count(*), count(DISTINCT id), min(seq) FROM {schema}.outbox"))
                .containsExactly("4|4|1");
    }

    @Test
    void aRelayPublishesRetriesGivesUpAndPicksUpWhatIsRedriven() throws SQLException {
        // Given
        Event waits = event("a");
        Event follows = event("a");
        Event keyless = Event.of("shop", "noted").json("{}").build();
        Event dead = event("b");
        Event later = Event.of("shop", "reminded")
                .deliverAfter(Instant.now().plusMillis(300))
                .build();
        Event large = Event.of("shop", "stored")
                .payload(new byte[900_000], "application/octet-stream")
                .build();
        Set<Event> failing = ConcurrentHashMap.newKeySet();
        failing.addAll(List.of(waits, keyless));
        Set<Event> refused = ConcurrentHashMap.newKeySet();
        refused.add(dead);
        RecordingTransport transport = RecordingTransport.answering((event, attempt) -> {
            if (refused.contains(event)) {
                return Outcome.refused("bad");
            }
            return failing.contains(event) && attempt < 3 ? Outcome.failed("not yet") : Outcome.accepted();
        });
        TestRole operator = login(RoleKind.OPERATOR);

        // When
        try (HikariDataSource pool = login(RoleKind.RELAY).pool();
                Relay relay = start(pool, transport)) {
            emit(waits, follows, keyless, dead, later, large);
            for (Event event : List.of(follows, keyless, later, large)) {
                awaitState(event, "SENT");
            }
            awaitState(dead, "FAILED");
            assertThat(relay.status().outage()).isEmpty();
            refused.clear();
            new PostgresDeadEvents(operator.dataSource(), SCHEMA).redrive(ROUTE, dead.id(), "mended");
            awaitState(dead, "SENT");
        }

        // Then
        assertThat(rows("SELECT (SELECT count(*) FROM {schema}.detour), (SELECT count(*) FROM {schema}.blocked_key),"
                        + " (SELECT count(*) FROM {schema}.relay), (SELECT count(owner) FROM {schema}.lease)"))
                .containsExactly("0|0|0|0");
        assertThat(rows("SELECT count(*) FROM {schema}.attempt")).containsExactly("5");
    }

    @Test
    void aViewerSeesHowEverythingStands() throws SQLException {
        // Given
        Event dead = event("a");
        killed(dead);
        TestRole viewer = login(RoleKind.VIEWER);
        PostgresInspection inspection = new PostgresInspection(viewer.dataSource(), SCHEMA);

        // When
        List<String> state = viewer.rows(SCHEMA.in("SELECT state, attempts, last_error FROM {schema}.outbox_status"));

        // Then
        assertThat(state).containsExactly("FAILED|1|bad");
        assertThat(viewer.rows(SCHEMA.in("SELECT type, key, tenant FROM {schema}.outbox")))
                .containsExactly("placed|a|");
        assertThat(viewer.rows(SCHEMA.in("SELECT published_at FROM {schema}.outbox_status WHERE state = 'SENT'")))
                .isEmpty();
        assertThat(inspection.lanes()).hasSize(2);
        assertThat(inspection.relays()).isEmpty();
        assertThat(inspection.offWay()).containsExactly(new PostgresInspection.OffWay(ROUTE, 0, 1, 0));
        assertThat(inspection.blockedKeys(9)).isEmpty();
        assertThat(inspection.dead(null, null, 9)).hasSize(1);
        new Migrations(SCHEMA, 2).validate(viewer.dataSource());
    }

    @Test
    void aViewerSeesWhenAnEventWasPublished() throws SQLException {
        // Given
        Event sent = event("a");
        try (Relay relay = start(postgres.dataSource(), RecordingTransport.accepting())) {
            emit(sent);
            awaitState(sent, "SENT");
            assertThat(relay.status().lanes()).isNotEmpty();
        }

        // When
        List<String> status = login(RoleKind.VIEWER)
                .rows(SCHEMA.in("SELECT state, published_at IS NOT NULL, attempts FROM {schema}.outbox_status"));

        // Then
        assertThat(status).containsExactly("SENT|t|1");
    }

    @Test
    void anOperatorSeesPayloadsAndDecides() throws SQLException {
        // Given
        Event sentBack = event("a");
        Event givenUp = event("b");
        killed(sentBack, givenUp);
        TestRole operator = login(RoleKind.OPERATOR);
        PostgresDeadEvents decisions = new PostgresDeadEvents(operator.dataSource(), SCHEMA);

        // When
        decisions.redrive(ROUTE, sentBack.id(), "mended");
        decisions.discard(ROUTE, givenUp.id(), "a test");

        // Then
        assertThat(operator.rows(SCHEMA.in("SELECT DISTINCT convert_from(payload, 'UTF8') FROM {schema}.outbox")))
                .containsExactly("{}");
        assertThat(operator.rows(SCHEMA.in("SELECT who, action, reason FROM {schema}.operator_action ORDER BY id")))
                .containsExactly(operator.name() + "|redrive|mended", operator.name() + "|discard|a test");
        assertThat(new PostgresInspection(operator.dataSource(), SCHEMA).dead(null, null, 9))
                .isEmpty();
    }

    /** Published by a relay to a destination that refuses everything. */
    private void killed(Event... events) throws SQLException {
        RecordingTransport refusing = RecordingTransport.answering((event, attempt) -> Outcome.refused("bad"));
        try (Relay relay = start(postgres.dataSource(), refusing)) {
            emit(events);
            for (Event event : events) {
                awaitState(event, "FAILED");
            }
            Await.untilCounted(events.length, () -> relay.status().totals().dead());
        }
    }

    private static Relay start(DataSource database, RecordingTransport transport) {
        return Relay.start(
                PostgresRelayStores.open(database, SCHEMA, Route.named(ROUTE).fromBeginning(), "r1"),
                transport.publisher(),
                RelayConfig.standard(),
                RoutePolicy.standard().withRetry(RetryPolicy.fixed(9, Duration.ofMillis(20))));
    }

    private void awaitState(Event event, String state) {
        Await.until(() -> event + " to be " + state, () -> stateOf(event).equals(List.of(state)));
    }

    private List<String> stateOf(Event event) {
        try {
            return rows("SELECT state FROM {schema}.outbox_status WHERE id = '" + event.id() + "'");
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void emit(Event... events) throws SQLException {
        try (Connection connection = postgres.transaction()) {
            outbox.emit(connection, List.of(events), EmitOption.WITH_COMMIT);
        }
    }

    private TestRole login(RoleKind kind) throws SQLException {
        return TestRole.create(postgres, SCHEMA, kind);
    }

    private List<String> rows(String sql) throws SQLException {
        return postgres.rows(SCHEMA.in(sql));
    }

    private static Event event(String key) {
        return Event.of("shop", "placed").key(key).json("{}").build();
    }
}
