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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
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
    void anOlderSchemaIsRefusedWithTheCommandAndMigratedWhereThatIsWanted() {
        List<Migration> all = Migration.all();
        new Migrations(Schema.DEFAULT, all.subList(0, 30)).migrate(postgres.dataSource());
        String missing = "migrations 0031_changed_payload to " + all.get(all.size() - 1)
                + " are missing: run posthorn schema migrate --schema \"posthorn\" as the owner of the schema";

        for (Optional<Boolean> unwanted : List.of(Optional.<Boolean>empty(), Optional.of(false))) {
            assertThatThrownBy(() -> migrations.prepare(postgres.dataSource(), unwanted, "the.setting=true"))
                    .isInstanceOfSatisfying(
                            InvalidSchemaException.class,
                            e -> assertThat(e.faults())
                                    .containsExactly(missing + ", or start one process with the.setting=true"));
        }
        assertThatThrownBy(() -> migrations.validate(postgres.dataSource()))
                .isInstanceOfSatisfying(
                        InvalidSchemaException.class,
                        e -> assertThat(e.faults()).containsExactly(missing));

        migrations.prepare(postgres.dataSource(), Optional.of(true), "the.setting=true");
        assertThatCode(() -> migrations.validate(postgres.dataSource())).doesNotThrowAnyException();
    }

    @Test
    void anEmptyDatabaseGetsTheSchemaAtAStartUnlessThatIsSwitchedOff() {
        assertThatThrownBy(() -> migrations.prepare(postgres.dataSource(), Optional.of(false), "the.setting=true"))
                .hasMessageContaining("there is no log in it");

        migrations.prepare(postgres.dataSource(), Optional.empty(), "the.setting=true");

        assertThatCode(() -> migrations.validate(postgres.dataSource())).doesNotThrowAnyException();
    }

    /** A process that starts beside one that creates the log must not take a part of it for an older schema. */
    @Test
    void nobodySeesAPartOfALogThatIsBeingCreated() throws Exception {
        AtomicBoolean created = new AtomicBoolean();
        ExecutorService observer = Executors.newSingleThreadExecutor();
        Future<Set<String>> seen = observer.submit(() -> {
            Set<String> counts = new HashSet<>();
            boolean last;
            do {
                last = created.get();
                counts.addAll(postgres.rows("SELECT to_regclass('posthorn.migration') IS NULL"));
                if (counts.contains("f")) {
                    counts.addAll(postgres.rows("SELECT count(*) FROM posthorn.migration"));
                }
            } while (!last);
            return counts;
        });

        migrations.migrate(postgres.dataSource());

        created.set(true);
        assertThat(seen.get())
                .isSubsetOf("t", "f", String.valueOf(Migration.all().size()));
        observer.shutdown();
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
    void aNewerSchemaIsNotedAndLeftAsItIs() throws SQLException {
        newer("-- Oldest process: any\nCREATE TABLE {schema}.tomorrow (id int);")
                .migrate(postgres.dataSource());
        List<String> before = postgres.rows("SELECT * FROM posthorn.migration");
        assertThat(migrations.note(postgres.dataSource()).orElse(""))
                .contains("(from_tomorrow), which is newer than this version knows (" + newest() + ")");

        migrations.validate(postgres.dataSource());
        migrations.migrate(postgres.dataSource());
        migrations.prepare(postgres.dataSource(), Optional.empty(), "");

        assertThat(migrations.trouble(postgres.dataSource())).isEmpty();
        assertThat(postgres.rows("SELECT * FROM posthorn.migration")).isEqualTo(before);
    }

    @Test
    void aNewerSchemaThatNeedsNewerProcessesIsRefused() throws SQLException {
        newer("-- Oldest process: 9998\nALTER TABLE {schema}.outbox RENAME COLUMN tenant TO client;")
                .migrate(postgres.dataSource());

        for (ThrowingCallable attempt : List.<ThrowingCallable>of(
                () -> migrations.migrate(postgres.dataSource()),
                () -> migrations.validate(postgres.dataSource()),
                () -> migrations.prepare(postgres.dataSource(), Optional.empty(), ""))) {
            assertThatThrownBy(attempt)
                    .isInstanceOf(InvalidSchemaException.class)
                    .hasMessageContaining("it has migration 9999 (from_tomorrow), which needs processes that know"
                            + " migration 9998, and this version knows " + newest() + ": upgrade this process");
        }
    }

    /** An older schema has no column for it, and the printed script records it too. */
    @Test
    void theOldestProcessOfEveryMigrationIsRecorded() throws SQLException {
        List<Migration> all = Migration.all();
        new Migrations(Schema.DEFAULT, all.subList(0, Migration.FIRST_DECLARED - 1)).migrate(postgres.dataSource());
        migrations.migrate(postgres.dataSource());
        TestPostgres printed = TestPostgres.empty();
        printed.run(migrations.print());

        List<String> recorded = postgres.rows("SELECT oldest_process FROM posthorn.migration ORDER BY version");

        assertThat(recorded)
                .containsExactlyElementsOf(all.stream()
                        .map(migration -> String.valueOf(migration.oldestProcess()))
                        .toList());
        assertThat(printed.rows("SELECT oldest_process FROM posthorn.migration ORDER BY version"))
                .isEqualTo(recorded);
    }

    @Test
    void everyMigrationDeclaresTheOldestProcessThatCanWorkWithIt() {
        assertThat(Migration.all())
                .filteredOn(migration -> migration.version() >= Migration.FIRST_DECLARED)
                .allSatisfy(migration -> assertThat(migration.isDeclared())
                        .as(migration + " begins with -- Oldest process: any, or the number of a migration")
                        .isTrue())
                .allSatisfy(migration -> assertThat(migration.oldestProcess()).isBetween(1, migration.version()));
    }

    /** An older process may still use what such a statement takes away. */
    @Test
    void aMigrationThatAnyProcessWorksWithTakesNothingAway() {
        Pattern removal = Pattern.compile(
                "\\b(DROP (TABLE|COLUMN|VIEW|FUNCTION|PROCEDURE|TYPE|SCHEMA)|RENAME|SET NOT NULL|ALTER COLUMN \\w+ TYPE)\\b");
        assertThat(Migration.all())
                .filteredOn(migration -> migration.version() >= Migration.FIRST_DECLARED)
                .filteredOn(migration -> migration.oldestProcess() < migration.version())
                .allSatisfy(migration -> assertThat(migration.template()).doesNotContainPattern(removal));
    }

    private static Migrations newer(String template) {
        List<Migration> more = new ArrayList<>(Migration.all());
        more.add(new Migration(9999, "from_tomorrow", template));
        return new Migrations(Schema.DEFAULT, more);
    }

    private static int newest() {
        List<Migration> all = Migration.all();
        return all.get(all.size() - 1).version();
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
