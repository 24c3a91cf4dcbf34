package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Services that set no search path find the views where their tables were. */
class SeedViewsInPublicTest {

    private static final String ORDER =
            "INSERT INTO event_outbox (group_id, aggregate_type, aggregate_id, event_type, payload)"
                    + " VALUES (gen_random_uuid(), 'order', gen_random_uuid(), 'created', '{}')";
    private static final String LICENSE =
            "INSERT INTO outbox_events (event_type, aggregate_type, aggregate_id, payload_json)"
                    + " VALUES ('license_status_changed', 'license', 'L-1', '{}')";

    private final RelayHarness harness = new RelayHarness();
    private final TestPostgres postgres = harness.postgres;

    @AfterEach
    void close() {
        harness.close();
    }

    private TestRole service(SeedViews... systems) throws SQLException {
        TestRole role = TestRole.create(postgres);
        for (SeedViews views : systems) {
            views.create(postgres.dataSource());
            views.grant(postgres.dataSource(), role.name());
        }
        return role;
    }

    @Test
    void severalSystemsShareTheSchemaAndEachEmitsItsOwnEvents() throws SQLException {
        TestRole service = service(
                SeedViews.holdco(Schema.DEFAULT, SeedViews.PUBLIC),
                SeedViews.licenses(Schema.DEFAULT, SeedViews.PUBLIC),
                SeedViews.transfers(Schema.DEFAULT, SeedViews.PUBLIC));

        service.run("CREATE TABLE IF NOT EXISTS event_outbox (id uuid PRIMARY KEY)");
        service.run(ORDER);
        service.run(LICENSE);

        assertThat(postgres.rows("SELECT domain, type FROM posthorn.outbox ORDER BY seq"))
                .containsExactly("holdco|created", "licenses|license_status_changed");
        assertThat(service.rows("SELECT status FROM event_outbox")).containsExactly("pending");
        assertThat(service.rows("SELECT attempt_count FROM outbox_events")).containsExactly("0");
        assertThat(service.rows("SELECT state FROM outbox")).isEmpty();
    }

    @Test
    void theInboxOfTransfersIsThatOfTheConsumerTransfers() throws SQLException {
        TestRole service = service(SeedViews.transfers(Schema.DEFAULT, SeedViews.PUBLIC));

        service.run("INSERT INTO inbox (eventId, processedAt) VALUES ('" + UUID.randomUUID() + "', now())");

        assertThat(postgres.rows("SELECT consumer FROM posthorn.inbox")).containsExactly("transfers");
    }

    @Test
    void aCreatedIndexFailsUnlessItIsGuarded() throws SQLException {
        TestRole service = service(SeedViews.holdco(Schema.DEFAULT, SeedViews.PUBLIC));

        assertThatThrownBy(() -> service.run("CREATE INDEX IF NOT EXISTS ready ON event_outbox (status, available_at)"))
                .hasMessageContaining("event_outbox");
        service.run("""
                DO $$
                BEGIN
                  CREATE INDEX IF NOT EXISTS ready ON event_outbox (status, available_at);
                EXCEPTION WHEN wrong_object_type OR insufficient_privilege THEN
                  RAISE NOTICE 'event_outbox is a view of Posthorn, whose log has its own indexes';
                END
                $$
                """);
    }

    @Test
    void theDoctorFindsATableThatServicesWriteIntoInsteadOfTheView() throws SQLException {
        SeedViews.holdco(Schema.DEFAULT, new Schema("shop")).create(postgres.dataSource());
        PostgresDoctor doctor = new PostgresDoctor(postgres.dataSource(), Schema.DEFAULT);
        assertThat(doctor.examine()).noneMatch(finding -> finding.check().equals("dead copy"));

        postgres.run("CREATE TABLE IF NOT EXISTS event_outbox (id uuid PRIMARY KEY)"); // without the right search path

        assertThat(doctor.examine())
                .filteredOn(finding -> finding.check().equals("dead copy"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.found())
                            .isEqualTo("the table public.event_outbox has the name of the view shop.event_outbox");
                    assertThat(finding.serious()).isTrue();
                });
    }
}
