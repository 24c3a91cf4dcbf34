package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.postgres.PostgresDoctor.Finding;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Troubles that the doctor finds only if it is told how relays run, or on a server of its own. */
class DoctorSetupTest {

    private final TestPostgres postgres = TestPostgres.migrated();

    @Test
    void payloadsThatATransportDoesNotTake() throws SQLException {
        PostgresRoutes routes = new PostgresRoutes(postgres.dataSource(), Schema.DEFAULT);
        routes.create(Route.named("main"));
        routes.create(Route.named("small").withFilter(new RouteFilter(Set.of(), Set.of("note"), Set.of())));
        postgres.run("INSERT INTO posthorn.outbox (domain, type, payload) VALUES ('shop', 'note', 'x'),"
                + " ('shop', 'film', convert_to(repeat('x', 2000), 'UTF8'))");

        List<Finding> found = of(
                "size",
                new PostgresDoctor(postgres.dataSource(), Schema.DEFAULT)
                        .withLargestPayloads(Map.of("main", 1_999L, "small", 1_999L, "none", 1L)));

        assertThat(found).singleElement().satisfies(finding -> {
            assertThat(finding.serious()).isTrue();
            assertThat(finding.found())
                    .isEqualTo("1 of the newest events of route main are larger than the 1,999 bytes that its transport"
                            + " takes; the largest, a shop/film, has 2,000");
            assertThat(finding.advice()).contains("posthorn dead redrive --route main --all");
        });
    }

    @Test
    void payloadsThatATransportJustTakes() throws SQLException {
        new PostgresRoutes(postgres.dataSource(), Schema.DEFAULT).create(Route.named("main"));
        postgres.run("INSERT INTO posthorn.outbox (domain, type, payload) VALUES ('shop', 'note', 'xx')");

        assertThat(of(
                        "size",
                        new PostgresDoctor(postgres.dataSource(), Schema.DEFAULT)
                                .withLargestPayloads(Map.of("main", 2L))))
                .isEmpty();
    }

    @Test
    void anInboxThatForgetsBeforeTheLogDoes() {
        PostgresDoctor doctor = new PostgresDoctor(postgres.dataSource(), Schema.DEFAULT);
        InboxRetention week = new InboxRetention(Duration.ofDays(7), Optional.empty(), Map.of());

        assertThat(of("retention", doctor.withRetention(week, Duration.ofDays(7), Duration.ZERO)))
                .isEmpty();
        assertThat(of("retention", doctor.withRetention(week, Duration.ofDays(7), Duration.ofDays(4))))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.found()).contains("The inbox forgets events after 168 h");
                    assertThat(finding.advice()).contains("posthorn config print");
                });
    }

    @Test
    @Tag("slow")
    void aSlotThatHoldsBackVacuum() throws SQLException {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .unsafeFast()
                .setting("wal_level", "logical")
                .start()) {
            TestPostgres own = TestPostgres.migrated(server);
            own.rows("SELECT pg_create_logical_replication_slot('slow_reader', 'pgoutput')");
            own.run("CREATE TABLE one ()");
            own.run("CREATE TABLE two ()");

            assertThat(of("xmin", new PostgresDoctor(own.dataSource(), Schema.DEFAULT)))
                    .isEmpty();
            assertThat(of("xmin", new PostgresDoctor(own.dataSource(), Schema.DEFAULT, strict())))
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.found()).contains("replication slot \"slow_reader\" holds back vacuum by ");
                        assertThat(finding.advice()).contains("pg_drop_replication_slot(NAME)");
                    });
        }
    }

    private static DoctorLimits strict() {
        Duration day = Duration.ofDays(1);
        return new DoctorLimits(day, day, day, day, 1, day);
    }

    private static List<Finding> of(String check, PostgresDoctor doctor) {
        return doctor.examine().stream()
                .filter(finding -> finding.check().equals(check))
                .toList();
    }

    /** Whoever may not see payloads learns that sizes were not looked at. */
    @Test
    void aRoleThatMayNotSeePayloads() throws SQLException {
        new PostgresRoutes(postgres.dataSource(), Schema.DEFAULT).create(Route.named("main"));
        DataSource viewer =
                TestRole.create(postgres, Schema.DEFAULT, RoleKind.VIEWER).dataSource();

        assertThat(of("rights", new PostgresDoctor(viewer, Schema.DEFAULT).withLargestPayloads(Map.of("main", 1L))))
                .hasSize(1);
    }
}
