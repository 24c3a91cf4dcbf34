package dev.posthorn.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.Event;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.HostileValues;
import dev.posthorn.transports.memory.MemoryTransport;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From an emit or a plain INSERT to what a consumer sees, or does not. */
class RegistryOnPostgresTest {

    private static EmbeddedPostgres server;

    private final AtomicInteger checks = new AtomicInteger();
    private final List<Event> published = new CopyOnWriteArrayList<>();
    private HikariDataSource pool;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(
                server.createDatabase("registry_" + UUID.randomUUID().toString().substring(0, 8)));
        pool = new HikariDataSource(config);
        new Migrations(Schema.DEFAULT).migrate(pool);
    }

    @AfterEach
    void disconnect() {
        pool.close();
    }

    @Test
    void whatAnotherWriterInsertedWrongIsFailedAfterOneCheckAndNeverPublished() throws SQLException {
        insert("order.eaten", "k1", "{}");
        insert("order.paid", "k2", "{\"amount\": }");
        insert("order.paid", "k3", "{ \"amount\":  1.50 }");

        try (Relay relay = relay(Mode.STRICT)) {
            Await.until(
                    "all are settled",
                    () -> number("SELECT count(*) FROM posthorn.outbox_status WHERE state IN ('SENT', 'FAILED')") == 3);
            Await.until("and marked so", () -> relay.status().held() == 0);
        }

        assertThat(published).singleElement().satisfies(event -> {
            assertThat(event.key()).contains("k3");
            assertThat(new String(event.payloadBytes(), StandardCharsets.UTF_8)).isEqualTo("{ \"amount\":  1.50 }");
        });
        assertThat(checks).hasValue(2);
        assertThat(text("SELECT state FROM posthorn.outbox_status WHERE type = 'order.eaten'"))
                .isEqualTo("FAILED");
        assertThat(text("SELECT reason FROM posthorn.dead WHERE type = 'order.eaten'"))
                .contains("registry: type \"order.eaten\" is not in the registry", "unknown-type");
        assertThat(text("SELECT reason FROM posthorn.dead WHERE key = 'k2'"))
                .contains("line 1, column 12,", "undecodable-payload");
        assertThat(number("SELECT max(attempts) FROM posthorn.dead")).isEqualTo(1);
    }

    @Test
    void aKeyGoesOnBehindWhatWasRefused() throws SQLException {
        insert("order.paid", "k", "{\"amount\": 1}");
        insert("order.eaten", "k", "{}");
        insert("order.paid", "k", "{\"amount\": 2}");

        try (Relay relay = relay(Mode.STRICT)) {
            Await.until("those before and behind it", () -> published.size() == 2);
            Await.until("all is settled", () -> relay.status().held() == 0);
        }

        assertThat(published.stream().map(event -> new String(event.payloadBytes(), StandardCharsets.UTF_8)))
                .containsExactly("{\"amount\": 1}", "{\"amount\": 2}");
    }

    @Test
    void everyHostilePayloadIsPublishedOrDeadWithAReadableReasonAndOthersFlow() throws SQLException {
        List<HostileValues.Payload> payloads = HostileValues.payloads();
        for (int i = 0; i < payloads.size(); i++) {
            insert("order.paid", "hostile" + i, payloads.get(i).bytes());
            insert("order.paid", "good" + i, "{\"amount\": 1}");
        }
        JsonSchemaContract strict = JsonSchemaContract.of("paid.json", """
                {"type": "object", "properties": {"amount": {"type": "number"}}, "additionalProperties": false}""");
        Registry registry = Registry.of(
                Mode.STRICT, List.of(EventType.of("orders", "order.paid").payload(strict)));

        try (Relay relay = relay(registry)) {
            Await.until(
                    "all are settled",
                    () -> number("SELECT count(*) FROM posthorn.outbox_status WHERE state IN ('SENT', 'FAILED')")
                            == 2 * payloads.size());
            Await.until("and marked so", () -> relay.status().held() == 0);
        }

        assertThat(number("SELECT count(*) FROM posthorn.outbox_status WHERE key LIKE 'good%' AND state = 'SENT'"))
                .isEqualTo(payloads.size());
        assertThat(number("SELECT count(*) FROM posthorn.dead WHERE attempts <> 1 OR coalesce(reason, '') = ''"))
                .isZero();
        int nul = payloads.stream().map(Object::toString).toList().indexOf("NUL in a name");
        assertThat(text("SELECT reason FROM posthorn.dead WHERE key = 'hostile" + nul + "'"))
                .contains("registry: ", "a\uFFFDb", "invalid-payload");
    }

    @Test
    void withAWarningAllIsPublished() throws SQLException {
        insert("order.eaten", "k1", "{}");

        try (Relay relay = relay(Mode.WARN)) {
            Await.until("it is published", () -> published.size() == 1);
            Await.until("it is settled", () -> relay.status().held() == 0);
        }
        assertThat(number("SELECT count(*) FROM posthorn.dead")).isZero();
    }

    @Test
    void anEmitThatBreaksARuleSaysWhichAndLeavesTheTransactionUsable() throws SQLException {
        Outbox outbox = new CheckedOutbox(new PostgresOutbox(PostgresOutboxConfig.DEFAULT), registry(Mode.STRICT));
        Event good = Event.of("orders", "order.paid").json("{\"amount\": 3}").build();
        Event bad = Event.of("orders", "order.paid").json("{\"amount\": \"3\"}").build();

        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> outbox.emit(connection, good, bad))
                    .isInstanceOfSatisfying(UnregisteredEventException.class, refused -> {
                        assertThat(refused.violations()).containsOnlyKeys(bad.id());
                        assertThat(refused)
                                .hasMessageContaining(bad.id().toString())
                                .hasMessageContaining("payload/amount")
                                .hasMessageContaining("rule invalid-payload")
                                .hasMessageContaining("Nothing was emitted");
                    });
            outbox.emit(connection, good);
            connection.commit();
        }

        assertThat(number("SELECT count(*) FROM posthorn.outbox")).isEqualTo(1);
    }

    @Test
    void whatWasEmittedThroughTheRegistryIsParsedOnceAndAPlainInsertWhenItIsPublished() throws SQLException {
        Outbox outbox = new CheckedOutbox(new PostgresOutbox(PostgresOutboxConfig.DEFAULT), registry(Mode.STRICT));
        Event event = Event.of("orders", "order.paid")
                .header("source", "till")
                .json("{\"amount\": 3}")
                .build();
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            outbox.emit(connection, event);
            outbox.emit(connection, paid(), paid());
            outbox.emit(connection, List.of(paid(), event), EmitOption.IDEMPOTENT);
            connection.commit();
        }
        insert("order.paid", "k", "{\"amount\": 4}");
        assertThat(checks).as("at emit").hasValue(5);

        try (Relay relay = relay(Mode.STRICT)) {
            Await.until("all are published", () -> published.size() == 5);
            Await.until("all are settled", () -> relay.status().held() == 0);
        }

        assertThat(checks).as("the one of the INSERT too").hasValue(6);
        assertThat(published).contains(event);
        assertThat(number("SELECT count(*) FROM posthorn.outbox WHERE stamp IS NOT NULL"))
                .isEqualTo(4);
    }

    @Test
    void aPayloadThatIsReadLaterThanItsRowHasItsStampToo() throws SQLException {
        Outbox outbox = new CheckedOutbox(new PostgresOutbox(PostgresOutboxConfig.DEFAULT), registry(Mode.STRICT));
        Event large = Event.of("orders", "order.paid")
                .json("{\"amount\": 3, \"note\": \"" + "x".repeat(50_000) + "\"}")
                .build();
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            outbox.emit(connection, large);
            connection.commit();
        }

        try (Relay relay = relay(Mode.STRICT)) {
            Await.until("it is published", () -> published.size() == 1);
            Await.until("it is settled", () -> relay.status().held() == 0);
        }

        assertThat(checks).as("at emit alone").hasValue(1);
        assertThat(published).containsExactly(large);
    }

    @Test
    void aPayloadThatWasChangedByHandIsParsedAgain() throws SQLException {
        Outbox outbox = new CheckedOutbox(new PostgresOutbox(PostgresOutboxConfig.DEFAULT), registry(Mode.STRICT));
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            Event changed = paid();
            Event untouched = paid();
            outbox.emit(connection, changed, untouched);
            statement.execute(
                    "UPDATE posthorn.outbox SET payload = '{\"amount\":\"5}' WHERE id = '" + changed.id() + "'");
            statement.execute("UPDATE posthorn.outbox SET tenant = 'acme' WHERE id = '" + untouched.id() + "'");
            connection.commit();
        }

        try (Relay relay = relay(Mode.STRICT)) {
            Await.until("one is dead", () -> relay.status().totals().dead() == 1);
            Await.until("the other is published", () -> published.size() == 1);
        }

        assertThat(checks)
                .as("twice at emit, and the one whose payload changed")
                .hasValue(3);
    }

    private static Event paid() {
        return Event.of("orders", "order.paid").json("{\"amount\": 5}").build();
    }

    private Relay relay(Mode mode) {
        return relay(registry(mode));
    }

    private Relay relay(Registry registry) {
        return Relay.start(
                PostgresRelayStores.open(
                        pool, Schema.DEFAULT, Route.named("main").fromBeginning(), "relay"),
                new CheckedPublisher(MemoryTransport.direct(published::add).publisher(), registry),
                RelayConfig.standard(),
                RoutePolicy.standard());
    }

    private Registry registry(Mode mode) {
        JsonSchemaContract schema = JsonSchemaContract.of("paid.json", """
                {"type": "object", "properties": {"amount": {"type": "number"}}}""");
        Contract counted = new Contract() {
            @Override
            public String describe() {
                return schema.describe();
            }

            @Override
            public Optional<String> identity() {
                return schema.identity();
            }

            @Override
            public List<Violation> check(Event event) {
                checks.incrementAndGet();
                return schema.check(event);
            }
        };
        return Registry.of(mode, List.of(EventType.of("orders", "order.paid").payload(counted)));
    }

    private void insert(String type, String key, String payload) throws SQLException {
        insert(type, key, payload.getBytes(StandardCharsets.UTF_8));
    }

    private void insert(String type, String key, byte[] payload) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "INSERT INTO posthorn.outbox (id, domain, type, key, payload) VALUES (gen_random_uuid(),"
                                + " 'orders', '" + type + "', '" + key + "', ?)")) {
            statement.setBytes(1, payload);
            statement.execute();
        }
    }

    private int number(String sql) {
        return Integer.parseInt(text(sql));
    }

    private String text(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            assertThat(row.next()).as(sql).isTrue();
            return String.valueOf(row.getString(1));
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }
}
