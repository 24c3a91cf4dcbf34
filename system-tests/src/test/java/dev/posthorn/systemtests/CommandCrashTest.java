package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.commands.Answer;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.postgres.CommandDesk;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.Schema;
import dev.posthorn.testkit.Await;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Processes that run commands and are killed at every point of them, and many that run the same one at once. */
@Tag("slow")
@Tag("exact")
class CommandCrashTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final int PROCESSES = Size.of(5, 20, 20);
    private static final int THREADS_OF_EACH = 4;
    private static final String SMALL_HEAP = "-Xmx64m";
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static EmbeddedPostgres server;

    private final PGSimpleDataSource database = new PGSimpleDataSource();
    private final UUID command = UUID.randomUUID();
    private String url;
    private Connection gate;

    @TempDir
    private Path folder;

    @BeforeAll
    static void startServer() {
        server = EmbeddedPostgres.builder()
                .unsafeFast()
                .setting("max_connections", "200")
                .start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void closeGate() throws SQLException {
        url = server.createDatabase("commands_" + DATABASES.incrementAndGet());
        database.setUrl(url);
        new Migrations(Schema.DEFAULT).migrate(database);
        gate = database.getConnection();
        try (Statement statement = gate.createStatement()) {
            statement.execute("CREATE TABLE effect (what text, n bigint GENERATED ALWAYS AS IDENTITY)");
            statement.execute("SELECT pg_advisory_lock(" + CrashingCommand.GATE + ")");
        }
    }

    @AfterEach
    void openGate() throws SQLException {
        gate.close();
    }

    private JavaProcess start(Duration lease, String haltAt, int threads) {
        return JavaProcess.start(
                folder.resolve("log"),
                SMALL_HEAP,
                CrashingCommand.class.getName(),
                List.of(url, command.toString(), Long.toString(lease.toMillis()), haltAt, Integer.toString(threads)),
                Map.of());
    }

    private List<String> rows(String sql) {
        List<String> rows = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                rows.add(result.getString(1));
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return rows;
    }

    private List<String> effects() {
        return rows("SELECT what FROM effect ORDER BY n");
    }

    /** Kills a process with SIGKILL when it has got to this point. */
    private void killAt(String point) {
        try (JavaProcess process = start(SHORT, point, 1)) {
            assertThat(process.readLine()).isEqualTo(point);
            process.kill();
            process.awaitExit(PATIENCE);
        }
    }

    private void awaitLapse() {
        Await.within(
                PATIENCE,
                () -> "the lease has run out",
                () -> rows("SELECT id FROM posthorn.workflow_run WHERE state = 'RUNNING' AND until > clock_timestamp()")
                        .isEmpty());
    }

    static List<String> points() {
        return CrashingCommand.POINTS;
    }

    @ParameterizedTest
    @MethodSource("points")
    void aProcessThatIsKilledLeavesEachEffectToHappenOnce(String point) {
        killAt(point);
        CommandRunner<Connection> runner = CrashingCommand.runner(database, PATIENCE, CrashingCommand.NOWHERE);

        try (CommandDesk desk =
                CommandDesk.open(runner.lookEvery(SHORT), "orders", ConsumerConfig.RETRIES, database, Schema.DEFAULT)) {
            Await.within(
                    PATIENCE,
                    () -> "the run is taken over",
                    () -> desk.look(CrashingCommand.command(command)).orElseThrow() instanceof Answer.Done);
        }

        assertThat(effects()).containsExactlyElementsOf(CrashingCommand.STEPS);
        assertThat(runner.look(CrashingCommand.command(command)))
                .hasValueSatisfying(answer -> assertThat(answer).isInstanceOf(Answer.Done.class));
        assertThat(rows("SELECT state || ' ' || attempt FROM posthorn.workflow_run"))
                .containsExactly("DONE 2");
        assertThat(rows("SELECT name FROM posthorn.workflow_step WHERE state = 'DONE' ORDER BY n"))
                .containsExactlyElementsOf(CrashingCommand.STEPS);
    }

    @Test
    void aRunThatIsKilledAtEveryPointInTurnHasEachEffectOnce() {
        for (String point : CrashingCommand.POINTS) {
            killAt(point);
            awaitLapse();
        }

        Answer answer = CrashingCommand.runner(database, PATIENCE, CrashingCommand.NOWHERE)
                .call(CrashingCommand.command(command));

        assertThat(answer).isEqualTo(new Answer.Done(answer.run(), "shipped"));
        assertThat(effects()).containsExactlyElementsOf(CrashingCommand.STEPS);
        assertThat(rows("SELECT state || ' ' || attempt FROM posthorn.workflow_run"))
                .containsExactly("DONE " + (CrashingCommand.POINTS.size() + 1));
    }

    @Test
    void whatAProcessThatWasTakenOverDoesLateIsUndone() throws SQLException {
        try (JavaProcess slow = start(SHORT, "in pay", 1)) {
            assertThat(slow.readLine()).isEqualTo("in pay");
            awaitLapse();
            Answer answer = CrashingCommand.runner(database, PATIENCE, CrashingCommand.NOWHERE)
                    .call(CrashingCommand.command(command));
            gate.close(); // and now it goes on

            assertThat(slow.readLine()).isEqualTo("Done " + answer.run());
            assertThat(slow.awaitExit(PATIENCE)).isZero();
            assertThat(slow.log()).contains("Attempt 1 of run " + answer.run() + " is over");
        }
        assertThat(effects()).containsExactlyElementsOf(CrashingCommand.STEPS);
        assertThat(rows("SELECT name || ' ' || state || ' ' || attempt FROM posthorn.workflow_step ORDER BY n"))
                .containsExactly("reserve DONE 1", "pay LOST 1", "pay DONE 2", "ship DONE 2");
    }

    @Test
    void aStormOfProcessesIsOneRun() throws SQLException {
        List<JavaProcess> storm = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                storm.add(start(PATIENCE, CrashingCommand.NOWHERE, THREADS_OF_EACH));
            }
            storm.forEach(process -> assertThat(process.readLine()).isEqualTo("ready"));
            gate.close();

            List<String> answers = new ArrayList<>();
            for (JavaProcess process : storm) {
                answers.addAll(process.readRest());
                assertThat(process.awaitExit(PATIENCE)).as(process.log()).isZero();
            }

            String run = rows("SELECT id FROM posthorn.workflow_run").get(0);
            assertThat(answers)
                    .hasSize(PROCESSES * THREADS_OF_EACH)
                    .contains("Done " + run)
                    .allMatch(answer -> answer.equals("Done " + run) || answer.equals("Running " + run));
        } finally {
            storm.forEach(JavaProcess::close);
        }
        assertThat(effects()).containsExactlyElementsOf(CrashingCommand.STEPS);
        assertThat(rows("SELECT state || ' ' || attempt FROM posthorn.workflow_run"))
                .containsExactly("DONE 1");
        assertThat(rows("SELECT id FROM posthorn.command")).containsExactly(command.toString());
    }
}
