package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service of licenses that knows nothing of Posthorn, with a role that has the rights on the view and no others. */
class LicensesViewsTest {

    private static final String ID = "77777777-7777-7777-7777-777777777777";

    private static final String PAYLOAD = "{ \"licenseId\":\"L-1\",  \"storeId\":\"S-1\", \"status\":\"pending\" }";

    private static final String INSERT = """
            INSERT INTO outbox_events (id, event_type, aggregate_type, aggregate_id, payload_json)
            VALUES ('%s', 'license_status_changed', 'license', 'L-1', '%s')
            """.formatted(ID, PAYLOAD);

    /** As the design has it, with its two words filled in. */
    private static final String CLAIM = """
            SELECT * FROM outbox_events
            WHERE published_at IS NULL
              AND attempt_count < 25
            ORDER BY created_at ASC
            FOR UPDATE SKIP LOCKED
            LIMIT 50;
            """;

    private static final String CLEANUP = """
            DELETE FROM outbox_events
            WHERE published_at IS NOT NULL
              AND published_at < now() - interval '30 days';
            """;

    private final RelayHarness harness = new RelayHarness();
    private final TestPostgres postgres = harness.postgres;
    private TestRole service;

    @BeforeEach
    void createViews() throws SQLException {
        SeedViews views = SeedViews.licenses(Schema.DEFAULT, new Schema("licenses"));
        views.create(postgres.dataSource());
        views.create(postgres.dataSource());
        service = TestRole.create(postgres);
        views.grant(postgres.dataSource(), service.name());
        postgres.run("ALTER ROLE " + Identifiers.quote(service.name()) + " SET search_path = licenses");
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
            statement.execute("CREATE TABLE IF NOT EXISTS outbox_events (id uuid PRIMARY KEY)");
            assertThat(statement.getWarnings().getMessage()).contains("already exists, skipping");
        }
        service.run(INSERT);

        assertThat(postgres.rows("SELECT id, domain, type, key, aggregate_type, aggregate_id, content_type"
                        + " FROM posthorn.outbox"))
                .containsExactly(ID + "|licenses|license_status_changed|L-1|license|L-1|application/json");
        assertThat(service.rows("SELECT event_type, payload_json ->> 'status', attempt_count, last_error IS NULL,"
                        + " created_at <= clock_timestamp() FROM outbox_events WHERE published_at IS NULL"))
                .containsExactly("license_status_changed|pending|0|t|t");
    }

    @Test
    void whatIsPublishedIsByteForByteWhatWasWritten() throws SQLException {
        RecordingTransport transport = RecordingTransport.accepting();
        harness.startRelay("r1", transport.publisher());

        service.run(INSERT);

        Await.until("it is published", () -> transport.events().size() == 1);
        Event event = transport.events().get(0);
        assertThat(event.id()).isEqualTo(UUID.fromString(ID));
        assertThat(new String(event.payloadBytes(), StandardCharsets.UTF_8)).isEqualTo(PAYLOAD);
    }

    @Test
    void anIdAndATimeThatWereLeftOutAreAnswered() throws SQLException {
        assertThat(service.rows("INSERT INTO outbox_events (event_type, aggregate_type, aggregate_id, payload_json)"
                        + " VALUES ('license_status_changed', 'license', 'L-2', 'null'::jsonb)"
                        + " RETURNING id IS NOT NULL, created_at IS NOT NULL, attempt_count, published_at IS NULL"))
                .containsExactly("t|t|0|t");
    }

    @Test
    void theDesignsClaimIsRefusedAlsoWhereNothingWaitsAndSaysWhatToDo() throws SQLException {
        assertThatThrownBy(() -> service.rows(CLAIM)).hasMessageContaining("stop the old dispatcher");

        service.run(INSERT);

        assertThatThrownBy(() -> service.rows(CLAIM)).hasMessageContaining("stop the old dispatcher");
        assertThat(service.rows(
                        "SELECT attempt_count FROM outbox_events WHERE last_error IS DISTINCT FROM 'for update' --"
                                + " not for update"))
                .as("words in a string or a comment take nothing")
                .containsExactly("0");
    }

    @Test
    void attemptsAndTheLastErrorAreShownAndThenWhenItWasPublished() throws SQLException {
        AtomicBoolean broken = new AtomicBoolean(true);
        harness.policy = harness.policy.withRetry(RetryPolicy.fixed(1_000, Duration.ofMillis(100)));
        harness.startRelay(
                "r1",
                RecordingTransport.answering(
                                (event, attempt) -> broken.get() ? Outcome.failed("not now") : Outcome.accepted())
                        .publisher());

        service.run(INSERT);

        Await.until(
                "it has failed",
                () -> rows("SELECT published_at IS NULL, attempt_count > 0, last_error FROM outbox_events")
                        .equals("t|t|not now"));
        broken.set(false);
        Await.until(
                "it is published, and its attempts are kept",
                () -> rows("SELECT published_at IS NULL, attempt_count > 0, last_error IS NULL FROM outbox_events")
                        .equals("f|t|t"));
    }

    @Test
    void theOldDispatcherIsStoppedAtItsUpdateAndTheOldCleanupDeletesNothing() throws SQLException {
        service.run(INSERT);

        assertThatThrownBy(() -> service.run("UPDATE outbox_events SET published_at = now() WHERE id = '" + ID + "'"))
                .hasMessageContaining("nothing in outbox_events can be updated: stop the old dispatcher");
        assertThatThrownBy(() -> service.run("UPDATE outbox_events SET attempt_count = attempt_count + 1,"
                        + " last_error = 'unavailable' WHERE false"))
                .hasMessageContaining("stop the old dispatcher");
        try (Connection connection = service.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(CLEANUP)).isZero();
            assertThat(statement.getWarnings().getMessage()).contains("nothing is deleted from outbox_events");
        }
        service.run("DELETE FROM outbox_events");
        assertThat(service.rows("SELECT id FROM outbox_events")).containsExactly(ID);
    }

    @Test
    void theSameEventTwiceAndWhatIsPublishedAlreadyAreRefused() throws SQLException {
        service.run(INSERT);

        assertThatThrownBy(() -> service.run(INSERT))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
        assertThatThrownBy(
                        () -> service.run(
                                "INSERT INTO outbox_events (event_type, aggregate_type, aggregate_id,"
                                        + " payload_json, published_at) VALUES ('license_status_changed', 'license', 'L-1', '{}', now())"))
                .hasMessageContaining("a new event is not published yet")
                .hasMessageContaining("leave it in the old table");
        assertThatThrownBy(() -> service.run("INSERT INTO outbox_events (event_type, aggregate_type, payload_json)"
                        + " VALUES ('license_status_changed', 'license', '{}')"))
                .hasMessageContaining("null value in column \"aggregate_id\" of outbox_events");
    }

    @Test
    void aPayloadThatIsNoJsonMakesNothingElseUnreadable() throws SQLException {
        service.run(INSERT);
        postgres.run("INSERT INTO posthorn.outbox (domain, type, payload) VALUES ('licenses', 'odd', '\\x00')");

        assertThat(service.rows("SELECT event_type, payload_json IS NULL FROM outbox_events ORDER BY event_type"))
                .containsExactly("license_status_changed|f", "odd|t");
    }

    @Test
    void theServiceMayTouchNothingElse() {
        service.assertMayNot("SELECT * FROM posthorn.outbox");
        service.assertMayNot("INSERT INTO posthorn.outbox (domain, type) VALUES ('bank', 'robbed')");
        service.assertMayNot("SELECT * FROM posthorn.outbox_status");
    }
}
