package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service of transfers that knows nothing of Posthorn, with a role that has the rights on the views and no others. */
class TransfersViewsTest {

    private static final String ID = "44444444-4444-4444-4444-444444444444";

    /** As the design has it. */
    private static final String CREATE = """
            CREATE TABLE IF NOT EXISTS outbox (
              id uuid PRIMARY KEY,
              eventType text NOT NULL,
              payload jsonb NOT NULL,
              state text NOT NULL DEFAULT 'PENDING',
              attempts int NOT NULL DEFAULT 0,
              lastError text,
              next_attempt timestamptz NOT NULL DEFAULT now(),
              createdAt timestamptz NOT NULL DEFAULT now(),
              updatedAt timestamptz NOT NULL DEFAULT now()
            )
            """;

    private static final String INSERT = """
            INSERT INTO outbox (id, eventType, payload)
            VALUES (
              gen_random_uuid(),
              'events.transfers.submitted.usdc',
              jsonb_build_object(
                'envelope', jsonb_build_object('v',1,'eventId', gen_random_uuid()::text, 'occurredAt', now(), 'tenantId','tnt_demo','type','events.transfers.submitted.usdc'),
                'key', jsonb_build_object('transferId','tr_test_123'),
                'payload', jsonb_build_object('amount', jsonb_build_object('value','10.00','currency','USD'))
              )
            )
            """;

    private final RelayHarness harness = new RelayHarness();
    private final TestPostgres postgres = harness.postgres;
    private TestRole service;

    @BeforeEach
    void createViews() throws SQLException {
        SeedViews views = SeedViews.transfers(Schema.DEFAULT, new Schema("transfers"));
        views.create(postgres.dataSource());
        service = TestRole.create(postgres);
        views.grant(postgres.dataSource(), service.name());
        postgres.run("ALTER ROLE " + Identifiers.quote(service.name()) + " SET search_path = transfers");
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private static String insert(String type, String payload) {
        return "INSERT INTO outbox (id, eventType, payload) VALUES ('" + ID + "', '" + type + "', '" + payload + "')";
    }

    private static String envelope(UUID id, String type) {
        return "{\"envelope\": {\"v\": 1, \"eventId\": \"" + id + "\", \"type\": \"" + type
                + "\"}, \"key\": {\"transferId\": \"tr_1\"}, \"payload\": {}}";
    }

    @Test
    void theDesignsOwnSqlEmitsTheEventOfTheEnvelope() throws SQLException {
        try (Connection connection = service.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(CREATE);
            assertThat(statement.getWarnings().getMessage()).contains("already exists, skipping");
            statement.execute(INSERT);
        }

        assertThat(postgres.rows("SELECT domain, type, key, tenant, id::text = convert_from(payload, 'UTF8')::jsonb #>>"
                        + " '{envelope,eventId}', occurred_at = (convert_from(payload, 'UTF8')::jsonb #>>"
                        + " '{envelope,occurredAt}')::timestamptz FROM posthorn.outbox"))
                .containsExactly("transfers|submitted.usdc|tr_test_123|tnt_demo|t|t");
        assertThat(service.rows("SELECT eventType, payload #>> '{payload,amount,value}', state, attempts, lastError,"
                        + " createdAt = updatedAt FROM outbox"))
                .containsExactly("events.transfers.submitted.usdc|10.00|PENDING|0||t");
    }

    @Test
    void aRowIsFoundByItsOwnIdAndItsStateIsThatOfTheLog() throws SQLException {
        AtomicBoolean broken = new AtomicBoolean(true);
        RecordingTransport transport = RecordingTransport.answering(
                (event, attempt) -> broken.get() ? Outcome.refused("no such topic") : Outcome.accepted());
        UUID event = UUID.randomUUID();
        service.run(insert("events.transfers.accepted", envelope(event, "events.transfers.accepted")));
        harness.startRelay("r1", transport.publisher());

        String look = "SELECT state, attempts, lastError FROM outbox WHERE id = '" + ID + "'";
        Await.until("it is FAILED", () -> rows(look).equals("FAILED|1|no such topic"));
        broken.set(false);
        postgres.rows("SELECT posthorn.redrive('main', '" + event + "', 'the topic is there')");
        Await.until("it is SENT", () -> rows(look).startsWith("SENT|"));

        assertThat(service.rows("SELECT updatedAt > createdAt FROM outbox")).containsExactly("t");
        assertThat(transport.events()).extracting(Event::id).containsOnly(event);
    }

    private String rows(String sql) {
        try {
            return String.join(",", service.rows(sql));
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void anEventOfTheDirectoryHasNoTransfer() throws SQLException {
        UUID event = UUID.randomUUID();
        service.run(insert(
                "directory.route.updated",
                "{\"envelope\": {\"eventId\": \"" + event
                        + "\", \"traceparent\": \"00-...\", \"occurredAt\": \"soon\"}," + " \"payload\": {}}"));

        assertThat(postgres.rows("SELECT id, domain, type, key IS NULL, traceparent IS NULL FROM posthorn.outbox"))
                .containsExactly(event + "|directory|route.updated|t|t");
        assertThat(service.rows("SELECT eventType FROM outbox")).containsExactly("events.directory.route.updated");
    }

    @Test
    void whatHasNoEnvelopeIsRefusedAndToldWhy() {
        UUID event = UUID.randomUUID();
        assertRefused(insert("events.transfers.accepted", "{}"), "payload.envelope.eventId is no uuid");
        assertRefused(
                insert("events.transfers.accepted", envelope(event, "events.transfers.settled")),
                "eventType is events.transfers.accepted, but payload.envelope.type is events.transfers.settled");
        assertRefused(
                insert("bank.robbed", envelope(event, "bank.robbed")),
                "eventType is bank.robbed, not events.transfers.…");
        assertRefused("INSERT INTO outbox (id, payload) VALUES ('" + ID + "', '{}')", "eventType is null");
        assertRefused(
                insert("events.transfers.accepted", envelope(event, "events.transfers.accepted"))
                        .replace("payload)", "payload, state)")
                        .replace("')", "', 'SENT')"),
                "a new event is PENDING");
    }

    private void assertRefused(String insert, String why) {
        assertThatThrownBy(() -> service.run(insert))
                .hasMessageContaining(why)
                .hasMessageContaining("payload is {envelope, key, payload}");
    }

    @Test
    void theSameEventTwiceIsRefusedWhateverItsRowIsCalled() throws SQLException {
        String insert = insert("events.transfers.accepted", envelope(UUID.randomUUID(), "events.transfers.accepted"));
        service.run(insert);

        assertThatThrownBy(
                        () -> service.run(insert.replace(ID, UUID.randomUUID().toString())))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
    }

    @Test
    void theOldDispatcherIsStoppedAtItsFirstStatement() throws SQLException {
        service.run(INSERT);

        assertThatThrownBy(() -> service.rows("SELECT id, payload FROM outbox WHERE state='PENDING' AND next_attempt <="
                        + " now() ORDER BY createdAt FOR UPDATE SKIP LOCKED LIMIT 50"))
                .hasMessageContaining("stop the old dispatcher");
        assertThatThrownBy(() -> service.run("UPDATE outbox SET state='SENT', attempts=attempts+1, updatedAt=now()"))
                .hasMessageContaining("stop the old dispatcher");
    }

    @Test
    void theInboxIsThatOfTheConsumerWithTheSchemasName() throws Exception {
        UUID event = UUID.randomUUID();
        service.run(
                "CREATE TABLE IF NOT EXISTS inbox (eventId uuid PRIMARY KEY, processedAt timestamptz DEFAULT now())");
        String insert = "INSERT INTO inbox (eventId, processedAt) VALUES ('" + event + "', now())";
        service.run(insert);

        assertThatThrownBy(() -> service.run(insert))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
        assertThat(service.rows(insert + " ON CONFLICT DO NOTHING RETURNING eventId"))
                .isEmpty();
        try (Connection connection = postgres.transaction()) {
            PostgresInbox inbox = new PostgresInbox(postgres.dataSource(), Schema.DEFAULT);
            assertThat(inbox.once(connection, "transfers", event, unused -> {})).isFalse();
            assertThat(inbox.once(connection, "ledger", event, unused -> {})).isTrue();
            connection.commit();
        }
        assertThat(service.rows("SELECT eventId FROM inbox")).containsExactly(event.toString());
    }

    @Test
    void theServiceMayTouchNothingElse() {
        service.assertMayNot("SELECT * FROM posthorn.outbox");
        service.assertMayNot("INSERT INTO posthorn.outbox (domain, type) VALUES ('bank', 'robbed')");
        service.assertMayNot("SELECT * FROM posthorn.inbox");
    }
}
