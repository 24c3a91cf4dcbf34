package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.embeddedpostgres.StopMode;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class OwnDatabaseTest {

    private static final EmbeddedPostgres SERVER =
            EmbeddedPostgres.builder().unsafeFast().start();

    @AfterAll
    static void close() {
        SERVER.close();
    }

    @Test
    void aSecondRunStartsAfresh() {
        String url = SERVER.createDatabase("twice");

        DemoRun first = runAt(url);
        DemoRun second = runAt(url.replace("jdbc:postgresql://", "postgresql://postgres@"));

        assertThat(first.number("published")).isEqualTo(400);
        assertThat(second.number("published")).isEqualTo(400);
        assertThat(second.number("invented")).isZero();
        assertThat(second.error()).contains("The schemas posthorn and posthorn_demo stay in your database.");
        assertThat(second.exitCode()).isZero();
    }

    @Test
    void aRestartOfTheServerInBetweenLosesNothing() {
        String url = SERVER.createDatabase("restarted");
        AtomicInteger published = new AtomicInteger();

        DemoRun run = DemoRun.of(
                publisher -> new Watched(publisher, () -> {
                    if (published.incrementAndGet() == 500) {
                        new Thread(() -> SERVER.restart(StopMode.FAST)).start();
                    }
                }),
                "--json",
                "--events=3000",
                "--outage=0",
                "--database-url=" + url);

        assertThat(published).hasValueGreaterThan(500);
        assertThat(run.number("committed")).isGreaterThanOrEqualTo(3000);
        assertThat(run.number("published")).isEqualTo(run.number("committed"));
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void twoAtOnceAreNotAllowed() throws SQLException {
        String url = SERVER.createDatabase("taken");
        try (Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(hashtextextended('posthorn.demo', 0))");

            DemoRun run = runAt(url);

            assertThat(run.error()).contains("Another demo runs in this database");
            assertThat(run.exitCode()).isEqualTo(2);
        }
    }

    @Test
    void aLogThatOthersPublishFromIsLeftAlone() throws SQLException {
        String url = SERVER.createDatabase("busy");
        runAt(url);
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO posthorn.route (name) VALUES ('orders')");
        }

        DemoRun run = runAt(url);

        assertThat(run.error()).contains("has other routes (orders)");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsSaid() {
        DemoRun run = runAt("jdbc:postgresql://127.0.0.1:1/none?user=postgres");

        assertThat(run.error()).contains("The database 127.0.0.1:1/none cannot be used: ");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void aPasswordIsNotShown() {
        DemoRun run = runAt("jdbc:postgresql://no:such:host/db?user=me&password=secret");

        assertThat(run.error()).contains("--database-url: ").doesNotContain("secret");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void aUrlOfSomethingElseIsRefused() {
        DemoRun run = runAt("mysql://localhost/db");

        assertThat(run.error())
                .contains("--database-url: \"mysql://localhost/db\" is not the URL of a Postgres database");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    private static DemoRun runAt(String url) {
        return DemoRun.of("--json", "--events=400", "--outage=0", "--late-commits=0", "--database-url=" + url);
    }

    /** Tells of each event that is published. */
    private record Watched(Publisher destination, Runnable onEach) implements Publisher {

        @Override
        public void publish(List<? extends Publication> publications) {
            publications.forEach(publication -> onEach.run());
            destination.publish(publications);
        }

        @Override
        public void close() {
            destination.close();
        }
    }
}
