package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresRebase.RebasedRoute;
import dev.posthorn.postgres.PostgresRebase.Report;
import dev.posthorn.relay.Route;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A dump of a busy log, restored into clusters of the same and of a newer version, with fewer and with more transactions. */
@Tag("slow")
@Timeout(300)
@Tag("exact")
class RestoreTest {

    private static final int SOURCE_XIDS = 20_000;

    private static InstalledPostgres installed;
    private static RestoreScene scene;

    private final Random random = TestSeed.next("RestoreTest").random();

    @BeforeAll
    static void dump(@TempDir Path folder) throws Exception {
        installed = InstalledPostgres.find();
        scene = RestoreScene.play(installed, Files.createTempDirectory(folder, "scene"), SOURCE_XIDS);
    }

    @ParameterizedTest(name = "newer {0}, {1} transactions ahead")
    @CsvSource({"false, 0", "false, 60000", "true, 0", "true, 60000"})
    void afterARebaseEveryRouteGoesOnWhereItWas(boolean newer, int burnt) throws Exception {
        try (EmbeddedPostgres server = newer ? bundled() : installed.start()) {
            TestPostgres postgres = TestPostgres.empty(server);
            RestoreScene.burn(postgres, Math.max(1, burnt));
            installed.restore(scene.dump, postgres);
            try (RestoredCluster restored = new RestoredCluster(postgres, scene);
                    Connection early = postgres.transaction()) {
                // Given
                assertTheRelayRefuses(restored);
                assertThat(restored.rebase().needs().moved()).isTrue();
                assertThat(restored.rebase().needs().ahead()).isEqualTo(burnt == 0);
                assertThat(restored.rebase().needs().lanesMoved()).isFalse();
                restored.writers.run(2, random);
                TestPostgres.rows(early, "SELECT pg_current_xact_id()");
                restored.awaitEndOfLeases();

                // When
                Report report = restored.rebase().rebase("the old machine burnt");

                // Then
                assertThat(report.routes())
                        .extracting(RebasedRoute::route)
                        .containsExactly("busy", "main", "shop", "slow");
                assertThat(report.routes())
                        .allSatisfy(route -> assertThat(route.repeated()).isZero());
                assertThat(restored.rebase().needs().any()).isFalse();
                assertThat(restored.query("SELECT count(*) FROM posthorn.operator_action WHERE action = 'rebase'"
                                + " AND who = 'postgres' AND reason = 'the old machine burnt'"))
                        .containsExactly("5");
                restored.writers.emit(early, "long-3", 2);
                restored.drain(random);
                early.commit();
                restored.drain(random);
                restored.assertNothingIsLost();
                restored.assertExactlyTheUnreadWasPublished();
                restored.assertStoppedRoutesRepeatNothing();
                restored.assertKeysAreInOrder();
            }
        }
    }

    /** As if this version of Postgres hashed otherwise. */
    @Test
    void ifKeysHaveOtherLanesNothingIsLostAndRepeatsAreReported() throws Exception {
        try (EmbeddedPostgres server = bundled()) {
            TestPostgres postgres = TestPostgres.empty(server);
            String script = Files.readString(scene.dump);
            String hash = "hashtextextended((key COLLATE \"C\"), (0)::bigint)";
            assertThat(script).contains(hash);
            Path other = Files.createTempFile("dump", ".sql");
            Files.writeString(other, script.replace(hash, hash.replace("(0)", "(1)")));
            installed.restore(other, postgres);
            Files.delete(other);
            try (RestoredCluster restored = new RestoredCluster(postgres, scene)) {
                // Given
                assertTheRelayRefuses(restored);
                assertThat(restored.rebase().needs().lanesMoved()).isTrue();
                restored.awaitEndOfLeases();
                Report looked = restored.rebase().look();
                assertThat(restored.rebase().needs().any()).isTrue();

                // When
                Report report = restored.rebase().rebase(null);

                // Then
                assertThat(report).isEqualTo(looked);
                assertThat(restored.rebase().needs().any()).isFalse();
                restored.drain(random);
                restored.assertNothingIsLost();
                restored.assertKeysAreInOrder();
                for (RebasedRoute route : report.routes()) {
                    assertThat(restored.repeated(route.route())).isLessThanOrEqualTo(route.repeated());
                }
            }
        }
    }

    private static void assertTheRelayRefuses(RestoredCluster restored) {
        assertThatThrownBy(() -> PublishedRoute.start(restored.pool, "main", event -> true))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("restored from a dump")
                .hasMessageContaining("posthorn rebase");
        assertThatThrownBy(() -> new PostgresRoutes(restored.pool, Schema.DEFAULT).create(Route.named("new")))
                .hasMessageContaining("posthorn rebase");
        assertThat(new PostgresDoctor(restored.pool, Schema.DEFAULT).examine())
                .filteredOn(PostgresDoctor.Finding::serious)
                .extracting(PostgresDoctor.Finding::check)
                .contains("restored");
    }

    private static EmbeddedPostgres bundled() {
        return EmbeddedPostgres.builder()
                .unsafeFast()
                .setting("max_prepared_transactions", "64")
                .start();
    }
}
