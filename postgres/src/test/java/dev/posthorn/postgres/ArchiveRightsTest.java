package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.postgres.PostgresPruner.Report;
import dev.posthorn.relay.Relay;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may archive, who may end it, and that nobody goes around it. */
@Tag("slow")
@Timeout(180)
class ArchiveRightsTest {

    private static final Duration AT_ONCE = Duration.ZERO;

    private final RelayHarness harness = new RelayHarness();
    private final RecordingTransport transport = RecordingTransport.answering((event, attempt) -> Outcome.accepted());

    @TempDir
    private Path path;

    private ArchiveFolder folder = new ArchiveFolder(Path.of(""));

    @BeforeEach
    void useTheFolder() {
        folder = new ArchiveFolder(path);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void anArchivedLogIsNotPrunedWithoutItsArchive() {
        publish(3);
        new PostgresPruner(harness.pool, Schema.DEFAULT, PostgresPruner.STANDARD_RETENTION)
                .withArchive(folder.archive())
                .prune(events -> {});
        PostgresPruner forgetful = new PostgresPruner(harness.pool, Schema.DEFAULT, AT_ONCE);

        assertThatThrownBy(() -> forgetful.prune(events -> {}))
                .hasMessage(
                        "This log is archived, so no event is removed without that. Name the archive (--archive), or"
                                + " end it (posthorn archive stop).");
        assertThat(harness.rows("SELECT id FROM posthorn.outbox")).hasSize(3);

        assertThat(forgetful.stopArchive("the auditors are gone")).isTrue();
        assertThat(forgetful.stopArchive("again")).isFalse();
        assertThat(forgetful.prune(events -> {}).events()).isEqualTo(3);
        assertThat(harness.rows("SELECT action, target, reason FROM posthorn.operator_action"))
                .containsExactly("stop archive|archive|the auditors are gone");
    }

    @ParameterizedTest
    @EnumSource(names = {"RELAY", "OPERATOR"})
    void aRelaysAndAnOperatorsRightsAreEnough(RoleKind kind) throws SQLException {
        Set<String> emitted = publish(50);
        TestRole role = TestRole.create(harness.postgres, Schema.DEFAULT, kind);
        try (HikariDataSource pool = role.pool()) {
            Report report = new PostgresPruner(pool, Schema.DEFAULT, AT_ONCE)
                    .withArchive(folder.archive())
                    .prune(events -> {});

            assertThat(report.events()).isEqualTo(50);
        }
        assertThat(folder.ids()).containsExactlyInAnyOrderElementsOf(emitted);
        if (kind == RoleKind.RELAY) {
            role.assertMayNot("SELECT posthorn.stop_archive('no reason')");
            role.assertMayNot("UPDATE posthorn.archive SET since = NULL");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PRODUCER", "CONSUMER", "VIEWER"})
    void othersMayNot(RoleKind kind) throws SQLException {
        TestRole role = TestRole.create(harness.postgres, Schema.DEFAULT, kind);

        role.assertMayNot("SELECT posthorn.archive_turn('me', interval '1 day')");
        role.assertMayNot("SELECT posthorn.stop_archive('no reason')");
        role.assertMayNot(
                "SELECT posthorn.prune_archived(0::smallint, 0, 9, interval '0', '{1}', ARRAY[gen_random_uuid()])");
        role.assertMayNot("SELECT * FROM posthorn.archivable(0::smallint, 0, interval '0', 10)");
    }

    private Set<String> publish(int count) {
        List<Event> events = IntStream.range(0, count)
                .mapToObj(
                        i -> Event.of("shop", "Placed").key("k" + i).json("{}").build())
                .toList();
        Relay relay = harness.startRelay("r" + UUID.randomUUID(), transport.publisher());
        harness.emit(events);
        Await.until(count + " to be published", () -> transport.calls().size() == count);
        relay.close();
        return new HashSet<>(events.stream().map(event -> event.id().toString()).toList());
    }
}
