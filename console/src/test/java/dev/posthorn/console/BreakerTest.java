package dev.posthorn.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.operations.RelayMetrics;
import dev.posthorn.relay.RelayStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Relays tell whether their destination is there, in whatever process they run. */
class BreakerTest {

    private static EmbeddedPostgres server;
    private Scene scene;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        scene = Scene.with(server, Scene.oneForEachRole());
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void aBreakerThatIsOpenInAnotherProcessIsShownEverywhere() {
        elsewhere("one", "0 s", "'DESTINATION'", "'connection to amqp://ann:secret@broker refused'");
        elsewhere("two", "0 s", "NULL", "NULL");

        JsonNode overview = scene.overviewFromNow();

        assertOpen(overview.path("routes").get(0));
        assertOpen(scene.get("/v1/routes").json().path("routes").get(0));
        JsonNode status = scene.get("/v1/status").json().path("routes").get(0);
        assertThat(status.path("breaker").asText()).isEqualTo("open");
        assertThat(status.path("outage").asText()).contains("refused").doesNotContain("secret");
        assertThat(overview.path("troubles").findValuesAsText("what"))
                .containsOnlyOnce("Route main does not reach its destination");
    }

    @Test
    void aBreakerIsClosedIfEveryRelayElsewhereSaysSo() {
        elsewhere("one", "0 s", "NULL", "NULL");

        JsonNode route = scene.overviewFromNow().path("routes").get(0);

        assertThat(route.path("breaker").asText()).isEqualTo("closed");
        assertThat(route.path("outage").isNull()).isTrue();
        assertThat(route.path("here").asBoolean()).isFalse();
    }

    @Test
    void whatASilentRelaySaidLastIsNotTold() {
        elsewhere("gone", "1 h", "'DESTINATION'", "'refused'");

        JsonNode overview = scene.overviewFromNow();

        assertThat(overview.path("routes").get(0).path("breaker").isNull()).isTrue();
        assertThat(overview.path("troubles").findValuesAsText("what"))
                .doesNotContain("Route main does not reach its destination");
    }

    @Test
    void aRelayOfThisProcessIsAskedAndNeedNotHaveReported() {
        RelayStatus away = new RelayStatus(
                List.of(),
                new RelayStatus.Totals(0, 0, 0, 0, 0, 0),
                0,
                0,
                0,
                Optional.of("no route to host"),
                RelayStatus.Obstacle.DESTINATION);
        scene.health.watch(
                "main",
                () -> away,
                () -> Duration.ZERO,
                new RelayMetrics(new SimpleMeterRegistry(), "main", Clock.systemUTC()).pulse());

        JsonNode route = scene.overviewFromNow().path("routes").get(0);

        assertThat(route.path("here").asBoolean()).isTrue();
        assertThat(route.path("breaker").asText()).isEqualTo("open");
        assertThat(route.path("outage").asText()).isEqualTo("no route to host");
    }

    private static void assertOpen(JsonNode route) {
        assertThat(route.path("breaker").asText()).isEqualTo("open");
        assertThat(route.path("outage").asText()).contains("refused").doesNotContain("secret");
        assertThat(route.path("here").asBoolean()).isFalse();
    }

    private void elsewhere(String name, String silent, String obstacle, String outage) {
        scene.run("INSERT INTO posthorn.relay (route, name, seen_at, obstacle, outage) VALUES (1, '" + name
                + "', clock_timestamp() - interval '" + silent + "', " + obstacle + ", " + outage + ")");
    }
}
