package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One decision about many dead letters: it is confirmed, has a reason, and is one entry of the audit. */
@Timeout(120)
class BulkDecisionTest {

    /** More than a page of each kind. */
    private static final int ON_ROUTE = 620;

    private static final int IN_CONSUMER = 710;
    private static final int ALL = ON_ROUTE + IN_CONSUMER;

    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static EmbeddedPostgres server;

    private String url;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void manyAreDead() throws SQLException {
        url = server.createDatabase("bulk_" + DATABASES.incrementAndGet());
        assertThat(Cli.run("schema", "migrate", "--database-url", url).code()).isZero();
        run("INSERT INTO posthorn.route (name) VALUES ('main')");
        run("INSERT INTO posthorn.outbox (domain, type) SELECT 'orders', 'order.placed' FROM generate_series(1, "
                + ON_ROUTE + ")");
        run("INSERT INTO posthorn.detour (route, lane, seq, kind, event_id, key, attempts, last_error)"
                + " SELECT 1, lane, seq, 'FAILED', id, key, 3, 'no queue' FROM posthorn.outbox");
        run("SELECT posthorn.keep_letter(ROW(gen_random_uuid(), NULL, NULL, 'billing', 'bill', 'consumer', 'test',"
                + " gen_random_uuid(), 'parcels', 'parcel.lost', 'b', 'acme', 'rejected', 'no account',"
                + " '{\"error\": \"x\"}', NULL, 'fix it', 3, NULL, NULL, '{\"h\": \"1\"}', 'lost', '{\"topic\": \"t\"}',"
                + " clock_timestamp(), NULL)::posthorn.dead_letter) FROM generate_series(1, " + IN_CONSUMER + ")");
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void itIsOneEntryOfTheAuditWithItsCount() {
        Cli done = Cli.run("dead", "redrive", "--all", "--reason", "fixed", "--yes", "--database-url", url);

        assertThat(done.code()).as(done.err()).isZero();
        List<JsonNode> entries = audit();
        assertThat(entries).singleElement().satisfies(entry -> {
            assertThat(entry.path("action").asText()).isEqualTo("redrive");
            assertThat(entry.path("rows").asLong()).isEqualTo(ALL);
            assertThat(entry.path("reason").asText()).isEqualTo("fixed");
            assertThat(entry.path("target").asText()).isEqualTo(ALL + " dead letters");
            assertThat(entry.path("target_kind").isNull()).isTrue();
        });
    }

    @Test
    void itsEntryNamesTheFilter() {
        Cli done = Cli.run(
                "dead", "discard", "--consumer", "billing", "--reason", "tests", "--yes", "--database-url", url);

        assertThat(done.code()).as(done.err()).isZero();
        assertThat(audit()).singleElement().satisfies(entry -> {
            assertThat(entry.path("rows").asLong()).isEqualTo(IN_CONSUMER);
            assertThat(entry.path("target").asText()).isEqualTo(IN_CONSUMER + " dead letters: consumer billing");
        });
    }

    @Test
    void aScriptNamesItsReasonAndConfirms() {
        Cli unexplained = Cli.run("dead", "redrive", "--all", "--yes", "--database-url", url);
        assertThat(unexplained.code()).isEqualTo(2);
        assertThat(unexplained.err()).contains("say why with --reason");

        Cli unconfirmed = Cli.run("dead", "redrive", "--all", "--reason", "fixed", "--database-url", url);
        assertThat(unconfirmed.code()).isEqualTo(2);
        assertThat(unconfirmed.err()).contains("This would redrive 1,330 dead letters. Confirm it with --yes");

        assertThat(audit()).isEmpty();
    }

    @Test
    void aPersonIsAskedForBoth() throws Exception {
        String refused = atATerminal("fixed\nn\n");
        assertThat(refused).contains("Reason, for the record:").contains("Redrive 1,330 dead letters? [y/N]");
        assertThat(refused).contains("Nothing was changed");
        assertThat(audit()).isEmpty();

        atATerminal("the queue is there\ny\n");
        assertThat(audit())
                .singleElement()
                .satisfies(entry -> assertThat(entry.path("reason").asText()).isEqualTo("the queue is there"));
    }

    /** What is said there while someone types this. */
    private String atATerminal(String typed) throws IOException, InterruptedException {
        String command = Path.of(System.getProperty("java.home"), "bin", "java") + " -XX:TieredStopAtLevel=1 -cp '"
                + System.getProperty("java.class.path") + "' " + Main.class.getName()
                + " dead redrive --all --database-url '" + url + "'";
        Process process = new ProcessBuilder("script", "-qec", command, "/dev/null")
                .redirectErrorStream(true)
                .start();
        try (Writer keyboard = process.outputWriter(StandardCharsets.UTF_8)) {
            keyboard.write(typed);
            keyboard.flush();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return said;
        }
    }

    private List<JsonNode> audit() {
        List<JsonNode> entries = new ArrayList<>();
        Cli.run("audit", "--json", "--database-url", url).json().path("actions").forEach(entries::add);
        return entries;
    }
}
