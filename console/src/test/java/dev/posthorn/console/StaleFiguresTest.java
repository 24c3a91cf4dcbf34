package dev.posthorn.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.embeddedpostgres.StopMode;
import dev.posthorn.postgres.Schema;
import dev.posthorn.testkit.Await;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is not known is never shown as 0, and what is old says so. */
class StaleFiguresTest {

    private static final Duration SOON = Duration.ofSeconds(5);

    private EmbeddedPostgres server;
    private Scene scene;

    @BeforeEach
    void threeEventsWaitAndOneIsDead() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        scene = Scene.with(server, Scene.oneForEachRole());
        scene.emit("orders", "order.placed", "a", "{}");
        scene.emit("orders", "order.placed", "b", "{}");
        scene.dieOnRoute("c", "no queue");
        assertKnown(scene.overviewFromNow());
    }

    @AfterEach
    void stop() {
        scene.close();
        server.close();
    }

    @Test
    void aDatabaseThatIsGoneLeavesTheLastFiguresWithTheirAge() {
        server.kill();

        assertStale(awaitStale());

        server.restart(StopMode.FAST);
        assertKnown(scene.overviewFromNow());
    }

    @Test
    void aDatabaseThatDoesNotAnswerLeavesThemAlso() {
        server.freeze();
        try {
            assertStale(awaitStale());
        } finally {
            server.thaw();
        }
    }

    @Test
    void aLoginThatMayNotSeeTheDeadLettersIsNotToldThatThereAreNone() {
        scene.run("CREATE ROLE half LOGIN");
        scene.run("GRANT USAGE ON SCHEMA posthorn TO half");
        scene.run("GRANT SELECT ON ALL TABLES IN SCHEMA posthorn TO half");
        scene.run("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA posthorn TO half");
        scene.run("REVOKE SELECT ON posthorn.dead_letter, posthorn.open_letter, posthorn.relay FROM half");
        try (Scene half = Scene.withoutDatabase(Scene.oneForEachRole())) {
            half.pool.setJdbcUrl(scene.pool.getJdbcUrl());
            half.pool.addDataSourceProperty("options", "-c role=half");
            half.console.open(half.pool, Schema.DEFAULT);

            JsonNode overview = half.overviewFromNow();

            assertThat(overview.path("stale").asBoolean())
                    .as(overview.toString())
                    .isFalse();
            assertThat(overview.path("totals").path("waiting").asLong()).isEqualTo(3);
            assertThat(overview.path("totals").path("dead").isNull()).isTrue();
            assertThat(overview.path("totals").path("published_per_second").isNull())
                    .isTrue();
            assertThat(overview.path("routes").get(0).path("dead").isNull()).isTrue();
        }
    }

    @Test
    void aConsoleThatNeverSawItsDatabaseKnowsNothing() {
        server.kill();
        try (Scene blind = Scene.withoutDatabase(Scene.oneForEachRole())) {
            blind.pool.setJdbcUrl(scene.pool.getJdbcUrl());
            blind.pool.setConnectionTimeout(1_000);
            blind.pool.setInitializationFailTimeout(-1);
            blind.console.open(blind.pool, Schema.DEFAULT);

            JsonNode overview = blind.get("/v1/overview").json();

            assertThat(overview.path("stale").asBoolean())
                    .as(overview.toString())
                    .isTrue();
            assertThat(overview.path("at").isNull()).isTrue();
            assertThat(overview.path("routes").isNull()).isTrue();
            overview.path("totals")
                    .properties()
                    .forEach(total -> assertThat(total.getValue().isNull())
                            .as(total.getKey())
                            .isTrue());
            assertThat(overview.path("troubles").get(0).path("why").asText()).contains("No figure is known yet");
        }
    }

    private JsonNode overview() {
        return scene.get("/v1/overview").json();
    }

    private JsonNode awaitStale() {
        Await.within(
                SOON,
                () -> "the figures are said to be old",
                () -> overview().path("stale").asBoolean());
        return overview();
    }

    private static void assertKnown(JsonNode overview) {
        assertThat(overview.path("stale").asBoolean()).isFalse();
        assertThat(overview.path("age_seconds").asDouble()).isLessThan((double) SOON.toSeconds());
        assertThat(overview.path("totals").path("waiting").asLong())
                .as(overview.toString())
                .isEqualTo(3);
        assertThat(overview.path("totals").path("dead").asLong()).isEqualTo(1);
    }

    private static void assertStale(JsonNode overview) {
        assertThat(overview.path("totals").path("waiting").asLong())
                .as(overview.toString())
                .isEqualTo(3);
        assertThat(overview.path("totals").path("dead").asLong()).isEqualTo(1);
        assertThat(overview.path("routes")).hasSize(1);
        assertThat(overview.path("age_seconds").asDouble()).isPositive();
        assertThat(overview.path("troubles").get(0).path("what").asText()).isEqualTo("The database does not answer");
        assertThat(overview.path("troubles").get(0).path("why").asText()).contains("All figures are those of ");
    }
}
