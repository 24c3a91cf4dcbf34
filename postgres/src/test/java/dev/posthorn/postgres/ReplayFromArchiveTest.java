package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.archive.FolderArchive;
import dev.posthorn.event.Event;
import dev.posthorn.relay.Route;
import dev.posthorn.replay.Replay;
import dev.posthorn.replay.Replay.State;
import dev.posthorn.replay.ReplayStep;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Source;
import dev.posthorn.testkit.RecordingTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What has left the log for an archive is replayed from there. */
@Tag("exact")
class ReplayFromArchiveTest {

    private final ReplayScene scene = new ReplayScene();
    private int routes;

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void everyArchivedEventComesOnceInTheOrderOfItsKey() throws SQLException {
        scene.emit(ReplayScene.events(100, 7));
        archive();
        scene.emit(ReplayScene.events(50, 7));
        archive();
        scene.emit(Event.of("shop", "InTheLog").build());
        Replay replay = scene.desk.start(request(Selection.ALL));

        List<Event> published = scene.published();

        assertThat(replay.progress().of()).isEqualTo(OptionalLong.of(150));
        assertThat(published)
                .hasSize(150)
                .doesNotHaveDuplicates()
                .allSatisfy(event -> assertThat(event.headers())
                        .containsEntry(Replay.HEADER, replay.id().toString()));
        published.stream()
                .limit(100)
                .collect(Collectors.groupingBy(
                        event -> event.key().orElseThrow(),
                        Collectors.mapping((Event event) -> event.sequence().getAsLong(), Collectors.toList())))
                .values()
                .forEach(sequences -> assertThat(sequences).isSorted());
        assertThat(scene.desk.find(replay.id()).state()).isEqualTo(State.DONE);
        assertThat(scene.desk.find(replay.id()).progress().done()).isEqualTo(150);
    }

    @Test
    void theSameSelectionHolds() throws SQLException {
        scene.emit(
                Event.of("shop", "A")
                        .key("k1")
                        .aggregate("order", "1")
                        .tenant("t1")
                        .build(),
                Event.of("shop", "B").key("k2").aggregate("basket", "1").build(),
                Event.of("ship", "C").key("k2").aggregate("order", "2").build());
        scene.postgres.run(
                "UPDATE posthorn.outbox SET created_at = '2026-03-01Z'::timestamptz + seq * interval '1 day'");
        archive();

        assertThat(types(Selection.ALL.withDomains(Set.of("ship")))).containsExactly("C");
        assertThat(types(Selection.ALL.withTypes(Set.of("A")))).containsExactly("A");
        assertThat(types(Selection.ALL.withAggregateTypes(Set.of("order")))).containsExactly("A", "C");
        assertThat(types(Selection.ALL.withKeys(Set.of("k2")))).containsExactly("B", "C");
        assertThat(types(Selection.ALL.withTenants(Set.of("t1")))).containsExactly("A");
        assertThat(types(Selection.ALL.between(
                        java.time.Instant.parse("2026-03-03T00:00:00Z"),
                        java.time.Instant.parse("2026-03-04T00:00:00Z"))))
                .containsExactly("B");
        assertThat(types(Selection.ALL.withTypes(Set.of("none")))).isEmpty();
    }

    @Test
    void anotherProcessGoesOnWhereOneStopped() throws SQLException {
        scene.emit(ReplayScene.events(60, 7));
        archive();
        RecordingTransport transport = RecordingTransport.accepting();
        scene.desk.start(request(Selection.ALL));
        ReplayStep first = scene.step("first", scene.store, transport.publisher());
        while (transport.calls().size() < 25) {
            first.runOnce();
        }
        scene.expireClaims();

        scene.runToEnd(scene.step("second", scene.store, transport.publisher()));

        assertThat(transport.events().stream().map(Event::id).distinct()).hasSize(60);
        assertThat(transport.calls()).hasSizeLessThanOrEqualTo(60 + ReplayScene.PAGE);
    }

    @Test
    void whatIsArchivedAfterTheStartIsNotPartOfIt() throws SQLException {
        scene.emit(ReplayScene.events(5, 5));
        archive();
        scene.desk.start(request(Selection.ALL));
        scene.emit(ReplayScene.events(5, 5));
        archive();

        assertThat(scene.published()).hasSize(5);
    }

    @Test
    void aVolumeThatIsGoneStopsTheReplayAndNothingIsSkipped() throws SQLException, IOException {
        scene.emit(ReplayScene.events(5, 5));
        archive();
        Replay replay = scene.desk.start(request(Selection.ALL));
        Path volume = onlyVolume();
        Path aside = folder.resolve(".aside");
        Files.move(volume, aside);

        assertThat(scene.published()).isEmpty();

        Replay failed = scene.desk.find(replay.id());
        assertThat(failed.state()).isEqualTo(State.FAILED);
        assertThat(failed.history().fault())
                .hasValueSatisfying(
                        why -> assertThat(why).contains(volume.getFileName().toString()));
        assertThatThrownBy(() -> request(Selection.ALL)).hasMessageContaining("is not sound");
        Files.move(aside, volume);
        scene.desk.resume(replay.id(), "it is back");
        assertThat(scene.published()).hasSize(5);
    }

    private List<String> types(Selection selection) {
        scene.desk.start(request(selection));
        return scene.published().stream().map(Event::type).sorted().toList();
    }

    private Replay.Request request(Selection selection) {
        return ReplayScene.EVERYTHING.selecting(selection).from(Source.archive(folder, selection));
    }

    private Path onlyVolume() {
        return folder.resolve(new FolderArchive(folder).list().get(0).name());
    }

    /** All that is in the log: every other route begins behind it. */
    private void archive() throws SQLException {
        PostgresRoutes all = new PostgresRoutes(scene.pool, Schema.DEFAULT);
        all.create(Route.named("later" + ++routes));
        scene.postgres.run("UPDATE posthorn.route SET retired_at = now() WHERE name <> 'later" + routes + "'");
        new PostgresPruner(scene.pool, Schema.DEFAULT, Duration.ZERO)
                .withArchive(new FolderArchive(folder))
                .prune(events -> {});
        scene.postgres.run("UPDATE posthorn.route SET retired_at = NULL WHERE name = 'main'");
        try (Stream<String> left = scene.postgres.rows("SELECT id FROM posthorn.outbox").stream()) {
            assertThat(left).isEmpty();
        }
    }
}
