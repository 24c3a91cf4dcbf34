package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A relay process whose routes are retired, one after the other. */
@Timeout(300)
class RetiredRouteTest {

    @TempDir
    private Path folder;

    private EmbeddedPostgres server;
    private String url;

    @BeforeEach
    void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        url = server.createDatabase("retired");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aProcessKeepsItsOtherRoutesAndEndsWithTheLast() throws Exception {
        Path config = config();
        try (StartedRelay relay = new StartedRelay(config).untilStarted(2)) {
            run("SELECT posthorn.retire_route('first', 'replaced')");
            relay.await("it says that one route is over", () -> hasStopped(relay, "first"));
            JsonNode health = relay.health();
            assertThat(health.path("status").asText()).as(health.toString()).isEqualTo("degraded");
            assertThat(health.toString()).contains("route first publishes nothing: the route is retired");
            assertThat(hasStopped(relay, "second")).isFalse();

            run("SELECT posthorn.retire_route('second', 'replaced')");

            assertThat(relay.awaitEnd()).isZero();
            assertThat(hasStopped(relay, "second")).isTrue();
            assertThat(relay.err()).anyMatch(line -> line.contains("Every route of this relay is retired"));
        }
        try (StartedRelay again = new StartedRelay(config)) {
            assertThat(again.awaitEnd()).isZero();
            assertThat(again.err()).anyMatch(line -> line.contains("Every route of this relay is retired"));
        }
    }

    private static boolean hasStopped(StartedRelay relay, String route) {
        return relay.out().stream()
                .anyMatch(line -> line.contains("\"event\":\"stopped\"")
                        && line.contains("\"route\":\"" + route + "\"")
                        && line.contains("the route is retired"));
    }

    private Path config() throws IOException {
        return Files.writeString(folder.resolve("relay.yaml"), """
                database: {url: '%s'}
                http: {address: '127.0.0.1:0'}
                transports: {out: {address: 'file:%s/out'}}
                routes:
                  first: {transport: out}
                  second: {transport: out}
                """.formatted(url, folder));
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
