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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service of OpenPaw that knows nothing of Posthorn, with a role that has the rights on the views and no others. */
class OpenpawViewsTest {

    private static final String ID = "55555555-5555-5555-5555-555555555555";

    private static final String INSERT = """
            INSERT INTO outbox (event_id, event_type, payload, correlation_id, tenant_id)
            VALUES ('55555555-5555-5555-5555-555555555555', 'asset.version.created',
                    '{"asset_id": "asset-1", "version": 1}', 'request-7', 'acme')
            """;

    private final RelayHarness harness = new RelayHarness();
    private final TestPostgres postgres = harness.postgres;
    private TestRole service;

    @BeforeEach
    void createViews() throws SQLException {
        SeedViews views = SeedViews.openpaw(Schema.DEFAULT, new Schema("openpaw"));
        views.create(postgres.dataSource());
        views.create(postgres.dataSource());
        service = TestRole.create(postgres);
        views.grant(postgres.dataSource(), service.name());
        postgres.run("ALTER ROLE " + Identifiers.quote(service.name()) + " SET search_path = openpaw");
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private String rows(String sql) {
        try {
            return String.join(",", service.rows(sql));
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void aRowOfTheDesignIsAnEventThatWaits() throws SQLException {
        try (Connection connection = service.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS outbox (event_id uuid PRIMARY KEY)");
            assertThat(statement.getWarnings().getMessage()).contains("already exists, skipping");
        }
        service.run(INSERT);

        assertThat(postgres.rows("SELECT id, domain, type, key, aggregate_type, tenant, correlation_id,"
                        + " convert_from(payload, 'UTF8') FROM posthorn.outbox"))
                .containsExactly(ID + "|openpaw|asset.version.created|asset-1|asset|acme|request-7|"
                        + "{\"version\": 1, \"asset_id\": \"asset-1\"}");
        assertThat(service.rows("SELECT event_type, payload ->> 'asset_id', correlation_id, tenant_id,"
                        + " created_at <= clock_timestamp() FROM outbox WHERE delivered_at IS NULL"))
                .containsExactly("asset.version.created|asset-1|request-7|acme|t");
    }

    @Test
    void anIdAndATimeThatWereLeftOutAreAnswered() throws SQLException {
        assertThat(service.rows("INSERT INTO outbox (event_type, payload) VALUES ('bounty.opened', '{}')"
                        + " RETURNING event_id IS NOT NULL, created_at IS NOT NULL, delivered_at IS NULL"))
                .containsExactly("t|t|t");
        assertThat(postgres.rows("SELECT key IS NULL, tenant IS NULL FROM posthorn.outbox"))
                .containsExactly("t|t");
    }

    @Test
    void itIsDeliveredWhenItIsPublishedAndNotBefore() throws SQLException {
        RecordingTransport transport = RecordingTransport.answering(
                (event, attempt) -> event.type().equals("bounty.opened") ? Outcome.refused("no") : Outcome.accepted());
        service.run(INSERT);
        service.run("INSERT INTO outbox (event_type, payload) VALUES ('bounty.opened', '{}')");
        harness.startRelay("r1", transport.publisher());

        Await.until(
                "it is delivered",
                () -> rows("SELECT delivered_at >= created_at FROM outbox WHERE event_id = '" + ID + "'")
                        .equals("t"));
        assertThat(transport.events()).extracting(Event::id).contains(UUID.fromString(ID));
        Await.until(
                "the other is dead",
                () -> !rows("SELECT 1 FROM outbox WHERE event_type = 'bounty.opened'")
                                .isEmpty()
                        && postgresRows("SELECT state FROM posthorn.outbox_status WHERE type = 'bounty.opened'")
                                .equals("FAILED"));
        assertThat(service.rows("SELECT event_type FROM outbox WHERE delivered_at IS NULL"))
                .containsExactly("bounty.opened");
    }

    private String postgresRows(String sql) {
        try {
            return String.join(",", postgres.rows(sql));
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void theSameEventTwiceAndWhatIsDeliveredAlreadyAreRefused() throws SQLException {
        service.run(INSERT);

        assertThatThrownBy(() -> service.run(INSERT)).satisfies(OpenpawViewsTest::isADuplicate);
        assertThatThrownBy(() -> service.run(
                        INSERT.replace("tenant_id)", "tenant_id, delivered_at)").replace("'acme')", "'acme', now())")))
                .hasMessageContaining("a new event is not delivered yet")
                .hasMessageContaining("leave it in the old table");
        assertThatThrownBy(() -> service.run("INSERT INTO outbox (event_type) VALUES ('bounty.opened')"))
                .hasMessageContaining("null value in column \"payload\" of outbox");
    }

    private static void isADuplicate(Throwable thrown) {
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
    }

    @Test
    void theOldRelayWorkerIsStoppedAtItsFirstStatement() throws SQLException {
        service.run(INSERT);

        assertThatThrownBy(() -> service.rows("SELECT event_id, payload FROM outbox WHERE delivered_at IS NULL ORDER BY"
                        + " created_at LIMIT 50 FOR UPDATE SKIP LOCKED"))
                .hasMessageContaining("stop the old dispatcher");
        assertThatThrownBy(() -> service.run("UPDATE outbox SET delivered_at = now() WHERE event_id = '" + ID + "'"))
                .hasMessageContaining("nothing in outbox can be updated");
        assertThatThrownBy(() -> service.run("UPDATE inbox SET processed_at = now()"))
                .hasMessageContaining("nothing in inbox can be updated");
        service.run("DELETE FROM outbox");
        assertThat(service.rows("SELECT event_id FROM outbox")).containsExactly(ID);
    }

    @Test
    void aMarkCountsOnceForEachHandlerAndIsThatOfAConsumerOfTheSameName() throws Exception {
        UUID event = UUID.randomUUID();
        String insert = "INSERT INTO inbox (event_id, handler) VALUES ('" + event + "', 'reputation')";
        service.run(insert);

        assertThatThrownBy(() -> service.run(insert)).satisfies(OpenpawViewsTest::isADuplicate);
        assertThat(service.rows(insert + " ON CONFLICT DO NOTHING RETURNING event_id"))
                .isEmpty();
        service.run(insert.replace("reputation", "sync"));
        try (Connection connection = postgres.transaction()) {
            PostgresInbox inbox = new PostgresInbox(postgres.dataSource(), Schema.DEFAULT);
            assertThat(inbox.once(connection, "reputation", event, unused -> {}))
                    .isFalse();
            assertThat(inbox.once(connection, "rewards", event, unused -> {})).isTrue();
            connection.commit();
        }
        assertThat(service.rows("SELECT handler FROM inbox WHERE event_id = '" + event + "' ORDER BY handler"))
                .containsExactly("reputation", "rewards", "sync");
    }

    @Test
    void workflowRunsAndTheirStepsAreThereToBeRead() throws SQLException {
        assertThat(service.rows("SELECT run_id FROM workflow_runs JOIN workflow_step_logs USING (run_id)"))
                .isEmpty();
        assertThatThrownBy(() -> service.run("INSERT INTO workflow_runs (run_id) VALUES (gen_random_uuid())"))
                .hasMessageContaining("stop the old command consumer");
    }

    @Test
    void theServiceMayTouchNothingElse() {
        service.assertMayNot("SELECT * FROM posthorn.outbox");
        service.assertMayNot("INSERT INTO posthorn.outbox (domain, type) VALUES ('bank', 'robbed')");
        service.assertMayNot("SELECT * FROM posthorn.inbox");
        service.assertMayNot("SELECT * FROM posthorn.workflow_run");
    }
}
