package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class MigrationsTest {

    private final TestPostgres postgres = TestPostgres.empty();
    private final Migrations migrations = new Migrations(Schema.DEFAULT);

    @Test
    void eightProcessesMayMigrateAtOnce() throws Exception {
        // Given
        int processes = 8;
        CyclicBarrier together = new CyclicBarrier(processes);
        ExecutorService threads = Executors.newFixedThreadPool(processes);

        // When
        List<Future<?>> results = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            results.add(threads.submit(() -> {
                together.await();
                new Migrations(Schema.DEFAULT).migrate(postgres.dataSource());
                return null;
            }));
        }
        for (Future<?> result : results) {
            result.get();
        }
        threads.shutdown();

        // Then
        assertThat(postgres.rows("SELECT name FROM posthorn.migration ORDER BY version"))
                .containsExactlyElementsOf(
                        Migration.all().stream().map(Migration::name).toList());
        assertThatCode(() -> migrations.validate(postgres.dataSource())).doesNotThrowAnyException();
    }

    @Test
    void migratingAgainChangesNothing() throws SQLException {
        // Given
        migrations.migrate(postgres.dataSource());
        List<String> before = postgres.rows("SELECT * FROM posthorn.migration");

        // When
        migrations.migrate(postgres.dataSource());

        // Then
        assertThat(postgres.rows("SELECT * FROM posthorn.migration")).isEqualTo(before);
    }

    @Test
    void thePrintedScriptRunsOnAnEmptyDatabaseAndValidates() throws SQLException {
        // Given
        Migrations eightLanes = new Migrations(new Schema("Odd \"name\""), 8);

        // When
        postgres.run(eightLanes.print());

        // Then
        assertThatCode(() -> eightLanes.validate(postgres.dataSource())).doesNotThrowAnyException();
        assertThat(postgres.rows("SELECT lanes FROM \"Odd \"\"name\"\"\".log")).containsExactly("8");
    }

    @Test
    void anEmptyDatabaseIsSaidToHaveNoLogOnce() {
        assertThatThrownBy(() -> migrations.validate(postgres.dataSource()))
                .isInstanceOfSatisfying(
                        InvalidSchemaException.class,
                        e -> assertThat(e.faults())
                                .containsExactly(
                                        "there is no log in it: create one with posthorn schema migrate --schema"
                                                + " \"posthorn\""));
    }

    @Test
    void aSchemaThatMissesMigrationsIsToldEachOfThem() throws SQLException {
        migrations.migrate(postgres.dataSource());
        postgres.run("DELETE FROM posthorn.migration WHERE version > 30");

        assertThatThrownBy(() -> migrations.validate(postgres.dataSource()))
                .isInstanceOfSatisfying(
                        InvalidSchemaException.class,
                        e -> assertThat(e.faults())
                                .hasSize(Migration.all().size() - 30)
                                .first()
                                .asString()
                                .contains("0031_changed_payload is missing"));
    }

    @Test
    void aSecondLogIsCreatedOnlyIfThatIsConfirmed() throws SQLException {
        migrations.migrate(postgres.dataSource());
        Migrations mistyped = new Migrations(new Schema("posthron"));

        for (ThrowingCallable attempt : List.<ThrowingCallable>of(
                () -> mistyped.migrate(postgres.dataSource()), () -> mistyped.validate(postgres.dataSource()))) {
            assertThatThrownBy(attempt)
                    .isInstanceOf(InvalidSchemaException.class)
                    .hasMessageContaining("there is no log in it, but there is one in posthorn")
                    .hasMessageContaining("posthorn schema migrate --schema \"posthron\" --another-log");
        }
        assertThat(postgres.rows("SELECT to_regnamespace('posthron') IS NULL")).containsExactly("t");

        mistyped.besideOtherLogs().migrate(postgres.dataSource());

        assertThatCode(() -> mistyped.migrate(postgres.dataSource())).doesNotThrowAnyException();
    }

    @Test
    void anIndexThatWasDroppedIsNamedWithTheStatementThatCreatesIt() throws SQLException {
        migrations.migrate(postgres.dataSource());
        assertThat(migrations.missingIndexes(postgres.dataSource())).isEmpty();
        postgres.run("DROP INDEX posthorn.outbox_lane_seq");

        List<String> missing = migrations.missingIndexes(postgres.dataSource());

        assertThat(missing)
                .containsExactly("index outbox_lane_seq is missing or invalid. Drop it if it is there, and run: CREATE"
                        + " INDEX CONCURRENTLY outbox_lane_seq ON \"posthorn\".outbox (lane, seq);");
        postgres.run(missing.get(0).substring(missing.get(0).indexOf("CREATE INDEX")));
        assertThat(migrations.missingIndexes(postgres.dataSource())).isEmpty();
    }

    @Test
    void everyIndexThatNoConstraintNeedsIsKnown() throws SQLException {
        migrations.migrate(postgres.dataSource());

        assertThat(postgres.rows("SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE"
                        + " c.relnamespace = 'posthorn'::regnamespace AND NOT EXISTS (SELECT FROM pg_constraint WHERE"
                        + " conindid = c.oid AND contype IN ('p', 'u', 'x'))"))
                .containsExactlyInAnyOrderElementsOf(MigrationIndex.after(Migration.all()).stream()
                        .map(MigrationIndex::name)
                        .toList());
    }

    @Test
    void aChangedMigrationIsRefused() throws SQLException {
        // Given
        migrations.migrate(postgres.dataSource());

        // When
        postgres.run("UPDATE posthorn.migration SET checksum = repeat('0', 64) WHERE version = 2");

        // Then
        assertThatThrownBy(() -> migrations.migrate(postgres.dataSource()))
                .isInstanceOf(InvalidSchemaException.class)
                .hasMessageContaining("0002_relay was applied with another content");
        assertThatThrownBy(() -> migrations.validate(postgres.dataSource())).isInstanceOf(InvalidSchemaException.class);
    }

    @Test
    void aSchemaNewerThanTheCodeIsRefused() throws SQLException {
        // Given
        migrations.migrate(postgres.dataSource());

        // When
        postgres.run("INSERT INTO posthorn.migration VALUES (9999, 'from_tomorrow', 'x')");

        // Then
        assertThatThrownBy(() -> migrations.migrate(postgres.dataSource()))
                .isInstanceOf(InvalidSchemaException.class)
                .hasMessageContaining("9999 (from_tomorrow)")
                .hasMessageContaining("upgrade the application");
    }

    @Test
    void theLaneCountIsFixedAtCreation() throws SQLException {
        // Given
        new Migrations(Schema.DEFAULT, 4).migrate(postgres.dataSource());

        // When
        Migrations other = new Migrations(Schema.DEFAULT, 5);

        // Then
        assertThatThrownBy(() -> other.migrate(postgres.dataSource()))
                .isInstanceOf(InvalidSchemaException.class)
                .hasMessageContaining("created with 4 lanes and 5 were asked for");
        assertThatCode(() -> migrations.migrate(postgres.dataSource())).doesNotThrowAnyException();
    }

    @Test
    void aLaneCountOutOfBoundsIsRefused() {
        assertThatThrownBy(() -> new Migrations(Schema.DEFAULT, 0)).hasMessageContaining("must be 1 to 256");
        assertThatThrownBy(() -> new Migrations(Schema.DEFAULT, 257)).hasMessageContaining("must be 1 to 256");
    }

    @Test
    void aSchemaThatAnAdministratorMadeIsEnoughForARoleThatMayNotCreateOne() throws SQLException {
        // Given
        postgres.run("CREATE ROLE schema_owner LOGIN; CREATE SCHEMA posthorn AUTHORIZATION schema_owner");
        postgres.dataSource().setUser("schema_owner");

        // When
        migrations.migrate(postgres.dataSource());

        // Then
        assertThatCode(() -> migrations.validate(postgres.dataSource())).doesNotThrowAnyException();
    }

    @Test
    void aSchemaNameThatPostgresWouldCutOrMisreadIsRefused() {
        assertThatThrownBy(() -> new Schema("x".repeat(64))).hasMessageContaining("1 to 63");
        assertThatThrownBy(() -> new Schema("")).hasMessageContaining("1 to 63");
        assertThatThrownBy(() -> new Schema("a$$b")).hasMessageContaining("function body");
    }

    @Test
    void everyMigrationFileIsListedInOrder() throws IOException, URISyntaxException {
        Path folder = Path.of(Migrations.class.getResource("migrations").toURI());
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()).sorted())
                    .containsExactlyElementsOf(Migration.all().stream()
                            .map(migration -> migration + ".sql")
                            .toList());
        }
    }
}
