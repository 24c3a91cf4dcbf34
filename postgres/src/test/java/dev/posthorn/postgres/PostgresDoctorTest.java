package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.Event;
import dev.posthorn.postgres.PostgresDoctor.Finding;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Each trouble is provoked, and named. */
@Tag("slow")
class PostgresDoctorTest {

    private final RelayHarness harness = new RelayHarness();
    private final TestPostgres postgres = harness.postgres;

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void aHealthyDatabaseHasNoTrouble() {
        harness.startRelay("r1", RecordingTransport.accepting().publisher());
        Await.until("it has its lanes", () -> rowsOf("SELECT 1 FROM posthorn.lease WHERE owner = 'r1'") == 16);

        assertThat(examine()).isEmpty();
    }

    @Test
    void anUnreachableServer() {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setServerNames(new String[] {"127.0.0.1"});
        nowhere.setPortNumbers(new int[] {1});

        Finding finding = new PostgresDoctor(nowhere, Schema.DEFAULT).examine().get(0);

        assertThat(finding.check()).isEqualTo("connection");
        assertThat(finding.serious()).isTrue();
    }

    @Test
    void aSchemaThatIsNotThereOrTooOldOrTooNew() throws SQLException {
        assertThat(new PostgresDoctor(relaySource(TestPostgres.empty()), Schema.DEFAULT).examine())
                .hasSize(1)
                .allSatisfy(finding -> assertThat(finding.check()).isEqualTo("schema"))
                .allSatisfy(finding -> assertThat(finding.serious()).isTrue());
        postgres.run("INSERT INTO posthorn.migration (version, name, checksum) VALUES (9998, 'future', 'x')");
        assertThat(only("schema").serious()).isFalse();
        assertThat(only("schema").found()).contains("(future), which is newer than this version knows");
        postgres.run("INSERT INTO posthorn.migration (version, name, checksum, oldest_process)"
                + " VALUES (9999, 'far_future', 'x', 9999)");
        assertThat(only("schema").serious()).isTrue();
        assertThat(only("schema").found()).contains("(far_future)", "upgrade this process");
        postgres.run("DELETE FROM posthorn.migration WHERE version > 8");
        assertThat(only("schema").serious()).isTrue();
        assertThat(only("schema").found()).contains("are missing: run posthorn schema migrate");
    }

    @Test
    void anIndexThatWasDropped() throws SQLException {
        postgres.run("DROP INDEX posthorn.outbox_lane_tx_seq");

        assertThat(only("index").serious()).isFalse();
        assertThat(only("index").found()).contains("outbox_lane_tx_seq").contains("CREATE INDEX CONCURRENTLY");
    }

    @Test
    void aRestoredLog() throws SQLException {
        postgres.run("UPDATE posthorn.log SET created_at = created_at");

        assertThat(only("restored").serious()).isTrue();
        assertThat(only("restored").advice()).contains("posthorn rebase");
    }

    @Test
    void aRouteWithoutARelayIsSeriousOnceEventsWait() {
        new PostgresRoutes(postgres.dataSource(), Schema.DEFAULT).create(Route.named("main"));
        assertThat(only("relay").serious()).isFalse();

        harness.emit(Event.of("shop", "placed").build());

        assertThat(only("relay").serious()).isTrue();
        assertThat(only("relay").found()).isEqualTo("route main has no live relay; 1 events wait");
    }

    @Test
    void lanesThatNobodyHolds() throws SQLException {
        new PostgresRoutes(postgres.dataSource(), Schema.DEFAULT).create(Route.named("main"));
        postgres.run("UPDATE posthorn.lease SET owner = 'r1', expires_at = now() + interval '1 hour' WHERE lane < 12");

        assertThat(only("lanes").found()).isEqualTo("route main: nobody holds 4 of 16 lanes");
    }

    @Test
    void aLaneThatStandsStill() throws SQLException {
        aRouteWithItsLanesHeld();
        harness.emit(Event.of("shop", "placed").build());
        assertThat(examine()).isEmpty();

        postgres.run("UPDATE posthorn.flush SET at = now() - interval '1 hour'");
        postgres.run("UPDATE posthorn.outbox SET created_at = now() - interval '1 hour'");

        assertThat(only("standstill").serious()).isTrue();
        assertThat(only("standstill").found()).contains("1 events wait").contains("relay r1");
    }

    @Test
    void aRouteThatIsPausedForLong() throws SQLException {
        new PostgresRoutes(postgres.dataSource(), Schema.DEFAULT).create(Route.named("main"));
        postgres.run("UPDATE posthorn.route SET paused_at = now() - interval '2 days'");

        assertThat(only("paused").advice()).contains("posthorn routes resume main");
    }

    @Test
    void aKindOfEventThatNoRouteWants() throws SQLException {
        postgres.run("INSERT INTO posthorn.outbox (domain, type) VALUES ('shop', 'placed'), ('shop', 'lost')");
        assertThat(only("unrouted").found()).as("without any route").contains("shop/lost", "shop/placed");
        new PostgresRoutes(postgres.dataSource(), Schema.DEFAULT)
                .create(Route.named("main").withFilter(new RouteFilter(Set.of(), Set.of("placed"), Set.of())));
        postgres.run("UPDATE posthorn.lease SET owner = 'r1', expires_at = now() + interval '1 hour'");

        assertThat(only("unroutable").found()).isEqualTo("no route wants shop/lost");
        assertThat(only("unroutable").advice()).contains("posthorn routes create");
        new PostgresRoutes(postgres.dataSource(), Schema.DEFAULT).create(Route.named("all"));
        postgres.run("UPDATE posthorn.lease SET owner = 'r1', expires_at = now() + interval '1 hour'");

        assertThat(only("unrouted").found())
                .as("the new route starts after the event")
                .isEqualTo("events lie on no route: shop/lost (1 or more)");
    }

    @Test
    void aKeyThatIsBlockedForLong() throws SQLException {
        aRouteWithItsLanesHeld();
        block("fresh", "now()");
        assertThat(examine()).isEmpty();

        block("old", "now() - interval '2 hours'");

        assertThat(only("blocked").found())
                .contains("route main, key old is blocked since")
                .endsWith(": no such queue");
    }

    private void block(String key, String since) throws SQLException {
        postgres.run("INSERT INTO posthorn.blocked_key"
                + " (route, lane, key, \"from\", \"to\", passed, attempts, last_error, blocked_at)"
                + " SELECT 1, 0, '" + key + "', c, c, 0, 1, 'no such queue', " + since
                + " FROM (SELECT ROW(pg_current_snapshot(), 0, NULL, NULL)::posthorn.log_cursor AS c) AS cursor");
    }

    @Test
    void aDeadLetter() throws SQLException {
        aRouteWithItsLanesHeld();
        postgres.run("INSERT INTO posthorn.detour (route, lane, seq, kind, event_id)"
                + " VALUES (1, 0, 1, 'FAILED', gen_random_uuid())");

        assertThat(only("dead").found()).isEqualTo("route main has 1 dead letters");
    }

    private void aRouteWithItsLanesHeld() throws SQLException {
        new PostgresRoutes(postgres.dataSource(), Schema.DEFAULT).create(Route.named("main"));
        postgres.run("UPDATE posthorn.lease SET owner = 'r1', expires_at = now() + interval '1 hour'");
    }

    @Test
    void transactionsThatStayOpen() throws SQLException {
        try (Connection open = postgres.transaction();
                Connection prepared = postgres.transaction()) {
            harness.outbox.emit(open, List.of(Event.of("shop", "placed").build()));
            harness.outbox.emit(prepared, List.of(Event.of("shop", "placed").build()));
            TestPostgres.run(prepared, "PREPARE TRANSACTION 'forgotten-" + System.nanoTime() + "'");
            Await.until(
                    "both are older than the limit",
                    () -> of("transaction", impatient()).size() == 1
                            && of("prepared", impatient()).size() == 1);

            assertThat(of("transaction", DoctorLimits.standard())).isEmpty();
            assertThat(of("prepared", impatient()).get(0).found()).contains("forgotten-");
        } finally {
            for (String gid : postgres.rows("SELECT gid FROM pg_prepared_xacts WHERE database = current_database()")) {
                postgres.run("ROLLBACK PREPARED '" + gid + "'");
            }
        }
    }

    @Test
    void aSessionThatIsIdleInATransactionIsNamedAfterMinutes() throws SQLException {
        assertThat(DoctorLimits.standard().transaction()).isEqualTo(Duration.ofMinutes(5));
        DoctorLimits standard = DoctorLimits.standard();
        DoctorLimits aSecond = new DoctorLimits(
                standard.standstill(),
                standard.blocked(),
                standard.paused(),
                Duration.ofSeconds(1),
                standard.xmin(),
                standard.clock());
        try (Connection idle = postgres.transaction()) {
            TestPostgres.rows(idle, "SELECT count(*) FROM posthorn.outbox");
            Await.until(
                    "it is older than the limit",
                    () -> of("transaction", aSecond).size() == 1);

            assertThat(of("transaction", aSecond).get(0).found()).contains("idle since");
            assertThat(of("transaction", aSecond).get(0).advice()).contains("idle_in_transaction_session_timeout");
            idle.rollback();
        }
    }

    private static DoctorLimits impatient() {
        Duration none = Duration.ofMillis(1);
        return new DoctorLimits(none, none, none, none, 1, Duration.ofSeconds(5));
    }

    @Test
    void aClockThatIsOff() {
        DoctorLimits strict = new DoctorLimits(
                Duration.ofHours(1),
                Duration.ofHours(1),
                Duration.ofHours(1),
                Duration.ofHours(1),
                1_000_000,
                Duration.ofSeconds(-1));

        assertThat(of("clock", strict)).hasSize(1);
    }

    @Test
    void aTableWithoutAutovacuum() throws SQLException {
        postgres.run("ALTER TABLE posthorn.outbox SET (autovacuum_enabled = false)");

        assertThat(only("vacuum").found()).isEqualTo("autovacuum is off for the table outbox");
    }

    @Test
    void aSlotThatNobodyReads() throws SQLException {
        postgres.rows("SELECT pg_create_physical_replication_slot('forgotten', true)");
        try {
            assertThat(only("slot").found()).contains("\"forgotten\"");
        } finally {
            postgres.rows("SELECT pg_drop_replication_slot('forgotten')");
        }
    }

    @Test
    void connectionsWithoutTheRelaysSettings() {
        assertThat(new PostgresDoctor(postgres.dataSource(), Schema.DEFAULT).examine())
                .extracting(Finding::check)
                .containsExactly("plans");
    }

    @Test
    void aRelaysRoleThatLacksRights() throws SQLException {
        TestRole role = TestRole.create(postgres, Schema.DEFAULT, RoleKind.RELAY);
        new Grants(Schema.DEFAULT).apply(postgres.dataSource(), RoleKind.VIEWER, role.name());
        assertThat(grantsOf(new PostgresDoctor(role.dataSource(), Schema.DEFAULT)))
                .isEmpty();
        postgres.run("REVOKE UPDATE ON posthorn.lease FROM " + Identifiers.quote(role.name()));
        postgres.run(
                "REVOKE EXECUTE ON FUNCTION posthorn.prune, posthorn.published FROM " + Identifiers.quote(role.name()));

        List<Finding> found = grantsOf(new PostgresDoctor(role.dataSource(), Schema.DEFAULT));

        assertThat(found).singleElement().satisfies(finding -> {
            assertThat(finding.serious()).isTrue();
            assertThat(finding.found())
                    .contains(role.name(), "UPDATE on lease", "EXECUTE on prune", "EXECUTE on published")
                    .doesNotContain("SELECT on lease", "compact");
            assertThat(finding.advice()).contains("posthorn schema grants relay --to \"" + role.name() + "\" --apply");
        });
    }

    @Test
    void aRoleThatIsNamedIsLookedAtWhateverItHas() throws SQLException {
        TestRole none = TestRole.create(postgres);
        PostgresDoctor doctor = new PostgresDoctor(postgres.dataSource(), Schema.DEFAULT);

        assertThat(grantsOf(doctor.withRelayRole(none.name())).get(0).found())
                .contains("USAGE on posthorn", "INSERT on checkpoint");
        assertThat(grantsOf(doctor.withRelayRole("nobody")).get(0).found()).isEqualTo("there is no role nobody");
        new Grants(Schema.DEFAULT).apply(postgres.dataSource(), RoleKind.RELAY, none.name());
        assertThat(grantsOf(doctor.withRelayRole(none.name()))).isEmpty();
    }

    @Test
    void aPoolerThatKnowsNoPreparedStatements() throws SQLException {
        PgBouncer pooler = PgBouncer.shared();

        assertThat(of("pooler", pooler.preparing(postgres))).singleElement().satisfies(finding -> {
            assertThat(finding.serious()).isTrue();
            assertThat(finding.advice()).contains("prepareThreshold=0");
        });
        assertThat(of("pooler", pooler.before(postgres))).isEmpty();
        assertThat(of("pooler", postgres.dataSource())).isEmpty();
        try (Connection behind = pooler.before(postgres).getConnection()) {
            assertThat(
                            TestPostgres.rows(
                                    behind,
                                    "SELECT name FROM pg_prepared_statements WHERE statement LIKE '%doctor looks for its name%'"))
                    .as("what the doctor left on the server")
                    .isEmpty();
        }
    }

    private static List<Finding> of(String check, DataSource database) {
        return new PostgresDoctor(database, Schema.DEFAULT)
                .examine().stream()
                        .filter(finding -> finding.check().equals(check))
                        .toList();
    }

    private static List<Finding> grantsOf(PostgresDoctor doctor) {
        return doctor.examine().stream()
                .filter(finding -> finding.check().equals("grants"))
                .toList();
    }

    /** Also where it has all that a primary has. */
    @Test
    void aStandby() {
        Path binaries = InstalledPostgres.find().folder();
        try (EmbeddedPostgres primary =
                EmbeddedPostgres.builder().binaries(binaries).unsafeFast().start()) {
            PGSimpleDataSource there = new PGSimpleDataSource();
            there.setUrl(primary.jdbcUrl());
            new Migrations(Schema.DEFAULT).migrate(there);
            try (EmbeddedPostgres standby = EmbeddedPostgres.builder()
                    .binaries(binaries)
                    .standbyOf(primary)
                    .start()) {
                PGSimpleDataSource here = new PGSimpleDataSource();
                here.setUrl(standby.jdbcUrl());

                List<Finding> found = new PostgresDoctor(here, Schema.DEFAULT).examine();

                assertThat(found).singleElement().satisfies(finding -> {
                    assertThat(finding.check()).isEqualTo("standby");
                    assertThat(finding.serious()).isTrue();
                    assertThat(finding.advice()).contains("Connect to the primary");
                });
            }
        }
    }

    @Test
    void aRoleThatMayNotSee() throws SQLException {
        TestRole role = TestRole.create(postgres, Schema.DEFAULT, RoleKind.CONSUMER);
        postgres.run("GRANT SELECT ON posthorn.migration, posthorn.log TO " + Identifiers.quote(role.name()));

        assertThat(new PostgresDoctor(role.dataSource(), Schema.DEFAULT).examine())
                .extracting(Finding::check)
                .contains("rights");
    }

    @Test
    void aViewerSeesEverything() throws SQLException {
        TestRole role = TestRole.create(postgres, Schema.DEFAULT, RoleKind.VIEWER);

        assertThat(new PostgresDoctor(role.dataSource(), Schema.DEFAULT).examine())
                .extracting(Finding::check)
                .doesNotContain("rights");
    }

    // ---- hands

    private List<Finding> examine() {
        return new PostgresDoctor(relaySource(postgres), Schema.DEFAULT).examine();
    }

    private Finding only(String check) {
        List<Finding> found = examine();
        assertThat(found).extracting(Finding::check).containsOnly(check);
        return found.get(0);
    }

    private List<Finding> of(String check, DoctorLimits limits) {
        return new PostgresDoctor(relaySource(postgres), Schema.DEFAULT, limits)
                .examine().stream()
                        .filter(finding -> finding.check().equals(check))
                        .toList();
    }

    private static PGSimpleDataSource relaySource(TestPostgres postgres) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {TestPostgres.port()});
        source.setDatabaseName(postgres.dataSource().getDatabaseName());
        source.setUser("postgres");
        source.setOptions(PostgresRelayStores.connectionOptions());
        return source;
    }

    private int rowsOf(String sql) {
        return harness.rows(sql).size();
    }
}
