package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.PosthornException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service that knows nothing of Posthorn, with a role that has the rights on the views and no others. */
class SeedViewsTest {

    private static final Schema VIEWS = new Schema("holdco");
    private static final String GROUP = "11111111-1111-1111-1111-111111111111";
    private static final String SUBSIDIARY = "22222222-2222-2222-2222-222222222222";
    private static final String ORDER = "33333333-3333-3333-3333-333333333333";

    private TestPostgres postgres;
    private TestRole service;

    /** A database with a log. */
    TestPostgres start() {
        return TestPostgres.migrated();
    }

    @BeforeEach
    void createViews() throws SQLException {
        postgres = start();
        SeedViews views = SeedViews.holdco(Schema.DEFAULT, VIEWS);
        views.create(postgres.dataSource());
        service = TestRole.create(postgres);
        views.grant(postgres.dataSource(), service.name());
        postgres.run("ALTER ROLE " + Identifiers.quote(service.name()) + " SET search_path = holdco");
    }

    @Test
    void anInsertAsTheServiceWritesItEmitsAnEvent() throws SQLException {
        UUID id = UUID.randomUUID();
        service.run(
                "INSERT INTO event_outbox (id, group_id, subsidiary_id, aggregate_type, aggregate_id, event_type, payload,"
                        + " status, available_at, attempts, created_at) VALUES ('" + id + "', '" + GROUP + "', '"
                        + SUBSIDIARY
                        + "', 'order', '" + ORDER + "', 'created', '{\"order_no\": \"ORD-0001\"}', 'pending', now(), 0,"
                        + " '2025-12-21T22:30:00Z')");

        assertThat(postgres.rows(
                        "SELECT id, domain, type, key, aggregate_type, aggregate_id, tenant, headers, content_type,"
                                + " convert_from(payload, 'UTF8'), occurred_at = '2025-12-21T22:30:00Z', deliver_after"
                                + " FROM posthorn.outbox"))
                .containsExactly(
                        id + "|holdco|created|" + ORDER + "|order|" + ORDER + "|" + GROUP + "|{\"subsidiary-id\": \""
                                + SUBSIDIARY + "\"}|application/json|{\"order_no\": \"ORD-0001\"}|t|");
        assertThat(service.rows("SELECT id, group_id, subsidiary_id, aggregate_type, aggregate_id, event_type, payload,"
                        + " status, attempts, created_at = '2025-12-21T22:30:00Z' FROM event_outbox"))
                .containsExactly(id + "|" + GROUP + "|" + SUBSIDIARY + "|order|" + ORDER
                        + "|created|{\"order_no\": \"ORD-0001\"}|pending|0|t");
    }

    @Test
    void whatTheServiceLeavesOutIsFilledInAndReturned() throws SQLException {
        List<String> returned = service.rows(insert("created")
                + " RETURNING id IS NOT NULL, status, attempts, available_at = created_at, subsidiary_id IS NULL");

        assertThat(returned).containsExactly("t|pending|0|t|t");
        assertThat(postgres.rows("SELECT headers IS NULL, deliver_after IS NULL FROM posthorn.outbox"))
                .containsExactly("t|t");
    }

    @Test
    void whatIsRolledBackIsNoEvent() throws SQLException {
        try (Connection connection = service.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            TestPostgres.run(connection, insert("created"));
            connection.rollback();
        }

        assertThat(service.rows("SELECT id FROM event_outbox")).isEmpty();
    }

    @Test
    void availableLaterIsDeliveredLaterButAClockThatIsAheadALittleIsNoWish() throws SQLException {
        service.run(insertAvailable("reminded", "now() + interval '1 hour'"));
        service.run(insertAvailable("created", "clock_timestamp() + interval '200 milliseconds'"));

        assertThat(postgres.rows("SELECT type, deliver_after IS NOT NULL FROM posthorn.outbox ORDER BY seq"))
                .containsExactly("reminded|t", "created|f");
        assertThat(service.rows("SELECT status, available_at > now() + interval '50 minutes' FROM event_outbox"
                        + " WHERE event_type = 'reminded'"))
                .containsExactly("pending|t");
    }

    @Test
    void createTableIfNotExistsFindsTheNamesTaken() throws SQLException {
        try (Connection connection = service.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS event_outbox (id uuid PRIMARY KEY, group_id uuid NOT NULL,"
                    + " subsidiary_id uuid, aggregate_type text NOT NULL, aggregate_id uuid NOT NULL, event_type text NOT"
                    + " NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'pending', available_at timestamptz NOT"
                    + " NULL DEFAULT now(), attempts int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT"
                    + " now())");
            assertThat(statement.getWarnings().getMessage()).contains("already exists, skipping");
            statement.execute("CREATE TABLE IF NOT EXISTS event_inbox (consumer_name text NOT NULL, event_id uuid NOT"
                    + " NULL, processed_at timestamptz NOT NULL DEFAULT now(), UNIQUE (consumer_name, event_id))");
        }

        assertThat(service.rows(insert("created") + " RETURNING status")).containsExactly("pending");
    }

    /** Postgres looks at what the name is before it looks whether the index is there: this can not be made to work. */
    @Test
    void createIndexIsRefusedByPostgresAndHasToLeaveTheScript() {
        assertThatThrownBy(() -> service.run("CREATE INDEX IF NOT EXISTS event_outbox_status_available_at_idx"
                        + " ON event_outbox (status, available_at)"))
                .hasMessageContaining("event_outbox");
        assertThatThrownBy(() -> postgres.run("CREATE INDEX IF NOT EXISTS event_outbox_status_available_at_idx"
                        + " ON holdco.event_outbox (status, available_at)"))
                .hasMessageContaining("cannot create index on relation \"event_outbox\"");
    }

    @Test
    void theOldPollerNeitherTakesNorMarksEvents() throws SQLException {
        service.run(insert("created"));

        assertThatThrownBy(() -> service.rows("SELECT id FROM event_outbox WHERE status = 'pending' AND available_at <="
                        + " now() ORDER BY created_at LIMIT 10 FOR UPDATE SKIP LOCKED"))
                .hasMessageContaining("stop the old dispatcher");
        assertThatThrownBy(() -> service.run("UPDATE event_outbox SET status = 'published'"))
                .hasMessageContaining("stop the old dispatcher");
        assertThatThrownBy(
                        () -> service.run("UPDATE event_outbox SET attempts = attempts + 1 WHERE id = '" + ORDER + "'"))
                .as("also where there is no such row")
                .hasMessageContaining("stop the old dispatcher");
        assertThat(service.rows("SELECT status FROM event_outbox")).containsExactly("pending");
    }

    @Test
    void theOldCleanupDeletesNothingAndIsTold() throws SQLException {
        service.run(insert("created"));
        service.run("INSERT INTO event_inbox (consumer_name, event_id) VALUES ('erp.sync', '" + ORDER + "')");

        try (Connection connection = service.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("DELETE FROM event_outbox")).isZero();
            assertThat(statement.getWarnings().getMessage()).contains("nothing is deleted from event_outbox");
            assertThat(statement.executeUpdate("DELETE FROM event_inbox")).isZero();
        }
        assertThat(service.rows("SELECT count(*) FROM event_outbox")).containsExactly("1");
        assertThat(service.rows("SELECT count(*) FROM event_inbox")).containsExactly("1");
    }

    @Test
    void aSecondInsertIntoTheInboxFailsOrIsSkipped() throws SQLException {
        String insert = "INSERT INTO event_inbox (consumer_name, event_id) VALUES ('erp.sync', '" + ORDER + "')";
        service.run(insert);

        assertThatThrownBy(() -> service.run(insert))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
        assertThat(service.rows(insert + " ON CONFLICT DO NOTHING RETURNING event_id"))
                .isEmpty();
        service.run(insert.replace("erp.sync", "notifications"));
        assertThat(service.rows("SELECT consumer_name, event_id, processed_at <= clock_timestamp() FROM event_inbox"
                        + " ORDER BY 1"))
                .containsExactly("erp.sync|" + ORDER + "|t", "notifications|" + ORDER + "|t");
    }

    @Test
    void theInboxIsTheOneThatConsumersOfPosthornLookInto() throws Exception {
        UUID event = UUID.randomUUID();
        PostgresInbox inbox = new PostgresInbox(postgres.dataSource(), Schema.DEFAULT);
        service.run("INSERT INTO event_inbox (consumer_name, event_id) VALUES ('erp.sync', '" + event + "')");

        try (Connection connection = postgres.transaction()) {
            assertThat(inbox.once(connection, "erp.sync", event, unused -> {})).isFalse();
            assertThat(inbox.once(connection, "notifications", event, unused -> {}))
                    .isTrue();
            connection.commit();
        }
        assertThat(service.rows("SELECT consumer_name FROM event_inbox ORDER BY 1"))
                .containsExactly("erp.sync", "notifications");
    }

    @Test
    void anIncompleteEventIsRefusedAsATableWould() {
        assertThatThrownBy(() ->
                        service.run("INSERT INTO event_outbox (group_id, aggregate_type, event_type, payload) VALUES ('"
                                + GROUP + "', 'order', 'created', '{}')"))
                .isInstanceOfSatisfying(SQLException.class, e -> {
                    assertThat(e.getSQLState()).isEqualTo("23502");
                    assertThat(e.getMessage()).contains("aggregate_id");
                });
    }

    @Test
    void whatWasPublishedBeforeIsNotEmittedAgain() {
        assertThatThrownBy(() ->
                        service.run("INSERT INTO event_outbox (group_id, aggregate_type, aggregate_id, event_type,"
                                + " payload, status) VALUES ('" + GROUP + "', 'order', '" + ORDER
                                + "', 'created', '{}',"
                                + " 'published')"))
                .hasMessageContaining("a new event is pending")
                .hasMessageContaining("leave it in the old table");
    }

    @Test
    void theServiceMayTouchNothingElse() throws SQLException {
        service.run(insert("created"));

        service.assertMayNot("SELECT * FROM posthorn.outbox");
        service.assertMayNot("INSERT INTO posthorn.outbox (domain, type) VALUES ('bank', 'robbed')");
        service.assertMayNot("SELECT * FROM posthorn.inbox");
    }

    @Test
    void eventsOfOthersAreNotShownAndPayloadsThatAreNoJsonDoNoHarm() throws SQLException {
        postgres.run("SELECT posthorn.emit('bank', 'paid', '{}', 'a')");
        postgres.run("SELECT posthorn.emit('holdco', 'odd', 'no json', 'a')");

        assertThat(service.rows("SELECT event_type, payload, group_id, aggregate_id FROM event_outbox"))
                .containsExactly("odd|||");
    }

    @Test
    void theOldTableIsNeverReplaced() throws SQLException {
        postgres.run("CREATE SCHEMA shop; CREATE TABLE shop.event_outbox (id uuid)");

        assertThatThrownBy(() ->
                        SeedViews.holdco(Schema.DEFAULT, new Schema("shop")).create(postgres.dataSource()))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("The schema shop has tables of these names: event_outbox")
                .hasMessageContaining("RENAME TO");
    }

    @Test
    void whatWaitsInTheOldTableMovesInOneTransaction() throws SQLException {
        postgres.run(
                "CREATE SCHEMA grown; CREATE TABLE grown.event_outbox (id uuid PRIMARY KEY, group_id uuid, subsidiary_id"
                        + " uuid, aggregate_type text, aggregate_id uuid, event_type text, payload jsonb, status text DEFAULT"
                        + " 'pending', created_at timestamptz DEFAULT clock_timestamp());"
                        + " CREATE TABLE grown.event_inbox (consumer_name text, event_id uuid, processed_at timestamptz)");
        String columns = "(id, group_id, aggregate_type, aggregate_id, event_type, payload, status)";
        postgres.run(
                "INSERT INTO grown.event_outbox " + columns + " SELECT gen_random_uuid(), '" + GROUP + "', 'order', '"
                        + ORDER + "', type, '{}', status FROM (VALUES ('created', 'published'), ('updated', 'failed'),"
                        + " ('cancelled', 'pending')) AS old (type, status)");
        postgres.run("INSERT INTO grown.event_inbox VALUES ('erp.sync', '" + ORDER + "', now())");

        postgres.run("BEGIN; ALTER TABLE grown.event_outbox RENAME TO event_outbox_before;"
                + " ALTER TABLE grown.event_inbox RENAME TO event_inbox_before;"
                + SeedViews.holdco(Schema.DEFAULT, new Schema("grown")).print()
                + "INSERT INTO grown.event_outbox (id, group_id, subsidiary_id, aggregate_type, aggregate_id, event_type,"
                + " payload, created_at) SELECT id, group_id, subsidiary_id, aggregate_type, aggregate_id, event_type, payload,"
                + " created_at FROM grown.event_outbox_before WHERE status IN ('pending', 'failed') ORDER BY created_at;"
                + " INSERT INTO grown.event_inbox SELECT consumer_name, event_id, processed_at FROM grown.event_inbox_before;"
                + " COMMIT");

        assertThat(postgres.rows("SELECT o.type, e.id = o.id FROM posthorn.outbox o JOIN grown.event_outbox_before e"
                        + " ON e.event_type = o.type ORDER BY o.seq"))
                .containsExactly("updated|t", "cancelled|t");
        assertThat(postgres.rows("SELECT consumer, handler FROM posthorn.inbox"))
                .containsExactly("erp.sync|main");
    }

    @Test
    void theyAreMadeAgainWithoutHarmAndUnderAnyName() throws SQLException {
        SeedViews.holdco(Schema.DEFAULT, VIEWS).create(postgres.dataSource());
        new Migrations(new Schema("Odd 'log'")).besideOtherLogs().migrate(postgres.dataSource());
        SeedViews odd = SeedViews.holdco(new Schema("Odd 'log'"), new Schema("Odd 'views'"));
        odd.create(postgres.dataSource());
        odd.grant(postgres.dataSource(), service.name());

        service.run(insert("created").replace("event_outbox", "\"Odd 'views'\".event_outbox"));

        assertThat(service.rows("SELECT event_type FROM \"Odd 'views'\".event_outbox"))
                .containsExactly("created");
        assertThat(service.rows("SELECT event_type FROM event_outbox")).isEmpty();
    }

    @Test
    void anEventIsFoundByItsIdWithoutReadingTheLog() throws SQLException {
        postgres.run("ANALYZE");
        try (Connection connection = service.dataSource().getConnection()) {
            TestPostgres.run(connection, "SET enable_seqscan = off");
            String plan = String.join(
                    "\n",
                    TestPostgres.rows(connection, "EXPLAIN SELECT * FROM event_outbox WHERE id = '" + ORDER + "'"));
            assertThat(plan).contains("outbox_id").doesNotContain("Seq Scan on outbox");
        }
    }

    private static String insert(String type) {
        return "INSERT INTO event_outbox (group_id, aggregate_type, aggregate_id, event_type, payload) VALUES ('"
                + GROUP + "', 'order', '" + ORDER + "', '" + type + "', '{}')";
    }

    private static String insertAvailable(String type, String when) {
        return "INSERT INTO event_outbox (group_id, aggregate_type, aggregate_id, event_type, payload, available_at) VALUES"
                + " ('" + GROUP + "', 'order', '" + ORDER + "', '" + type + "', '{}', " + when + ")";
    }
}
