package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.Schema;
import dev.posthorn.server.Main;
import dev.posthorn.testkit.Await;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Decisions about many dead letters in a process of its own. */
@Tag("slow")
class DeadProcessTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int LETTERS = 1_000;
    private static final int MANY = 100_000;

    /** Far less than 100,000 letters would need at once. */
    private static final String SMALL_HEAP = "-Xmx32m";

    private final PGSimpleDataSource database = new PGSimpleDataSource();

    @Test
    void itEndsBetweenTwoPagesAndSaysHowManyAreDone(@TempDir Path folder) throws SQLException {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder().unsafeFast().start()) {
            String url = server.createDatabase("redrive");
            database.setUrl(url);
            new Migrations(Schema.DEFAULT).migrate(database);
            lettersDie(LETTERS);
            List<String> redrive = List.of(
                    "dead", "redrive", "--all", "--reason", "fixed", "--yes", "--rate", "10/s", "--database-url", url);
            try (JavaProcess running = JavaProcess.start(folder.resolve("log"), Main.class.getName(), redrive)) {
                Await.within(PATIENCE, () -> "some are redriven: " + running.log(), () -> redriven() > 0);

                running.terminate();
                List<String> said = running.readRest();
                running.awaitExit(PATIENCE);

                assertThat(redriven()).isLessThan(LETTERS);
                assertThat(said)
                        .anyMatch(line ->
                                line.startsWith("Stopped: " + redriven() + " of 1,000 events to redrive are done."));
            }
        }
    }

    @Test
    void aSmallHeapIsEnoughFor100000(@TempDir Path folder) throws SQLException {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder().unsafeFast().start()) {
            String url = server.createDatabase("many");
            database.setUrl(url);
            new Migrations(Schema.DEFAULT).migrate(database);
            lettersDie(MANY);
            Path log = folder.resolve("log");

            assertThat(output(log, "dead", "list", "--limit", "100000", "--database-url", url))
                    .hasSize(MANY);
            assertThat(output(log, "dead", "list", "--grouped", "--database-url", url))
                    .first()
                    .asString()
                    .startsWith("100,000 × rejected");
            assertThat(output(log, "dead", "redrive", "--all", "--reason", "fixed", "--yes", "--database-url", url))
                    .last()
                    .isEqualTo("100000 events to redrive, done.");
            assertThat(redriven()).isEqualTo(MANY);
        }
    }

    private static List<String> output(Path log, String... args) {
        try (JavaProcess running = JavaProcess.start(log, SMALL_HEAP, Main.class.getName(), List.of(args), Map.of())) {
            List<String> said = running.readRest();
            assertThat(running.awaitExit(PATIENCE)).as(running.log()).isZero();
            return said;
        }
    }

    private void lettersDie(int many) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "INSERT INTO posthorn.dead_letter (id, consumer, handler, kind, component, event_id, domain, type,"
                            + " key, cause, reason, details, fingerprint, remedy, attempts, headers, body, metadata, occurred_at)"
                            + " SELECT gen_random_uuid(), 'billing', 'bill', 'consumer', 'c', gen_random_uuid(), 'shop', 'placed',"
                            + " 'k', 'rejected', 'no', '{}', 'no', 'mend', 1, '{}', '', '{}', now()"
                            + " FROM generate_series(1, " + many + ")");
        }
    }

    private long redriven() {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT count(*) FROM posthorn.dead_letter WHERE state = 'REDRIVE'")) {
            row.next();
            return row.getLong(1);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
