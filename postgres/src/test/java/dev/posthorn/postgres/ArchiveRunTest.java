package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.archive.Archive;
import dev.posthorn.archive.ArchivedEvent;
import dev.posthorn.archive.Volume;
import dev.posthorn.archive.VolumeReader;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresPruner.Report;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** With an archive, an event is removed only after it is in a volume that verifies. */
@Tag("slow")
@Timeout(180)
@Tag("exact")
class ArchiveRunTest {

    private static final Duration AT_ONCE = Duration.ZERO;
    private static final Duration MONTH = PostgresPruner.STANDARD_RETENTION;
    private static final int MANY = 2_500;
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);

    private final RelayHarness harness = new RelayHarness();
    private final RecordingTransport transport = RecordingTransport.answering((event, attempt) ->
            event.type().equals("Bad") ? Outcome.refused("refused by the test") : Outcome.accepted());

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
    void whatIsOldEnoughIsArchivedAndRemoved() throws SQLException {
        Set<String> emitted = publish(MANY);
        assertThat(prune(MONTH)).isEqualTo(Report.removed(0, MANY, false));
        assertThat(folder.volumes()).isEmpty();
        passDays(31);
        assertThat(pruner(MONTH, folder.archive()).look().events()).isEqualTo(MANY);

        Report report = prune(MONTH);

        assertThat(report.events()).isEqualTo(MANY);
        assertThat(report.archived()).isEqualTo(MANY);
        assertThat(report.volumes()).isEqualTo(1);
        assertThat(inLog()).isEmpty();
        assertThat(folder.ids()).hasSize(MANY).containsExactlyInAnyOrderElementsOf(emitted);
        assertThat(prune(MONTH)).isEqualTo(Report.removed(0, 0, false));
        assertThat(folder.volumes()).hasSize(1);
    }

    @Test
    void aDeadEventStaysAndIsNotArchived() {
        harness.startRelay("a", transport.publisher());
        harness.emit(Event.of("shop", "Bad").build(), Event.of("shop", "Good").build());
        Await.until(
                "both are decided",
                () -> rows("SELECT state FROM posthorn.outbox_status ORDER BY 1")
                        .equals(List.of("FAILED", "SENT")));

        Report report = prune(AT_ONCE);

        assertThat(report.archived()).isEqualTo(1);
        assertThat(rows("SELECT type FROM posthorn.outbox")).containsExactly("Bad");
        assertThat(folder.lines()).singleElement().asString().contains("\"type\":\"Good\"");
    }

    /** Also where transactions commit late, so that their events are covered long after others of a greater seq. */
    @Test
    void whenEachRoutePublishedAnEventIsArchivedAsTheStatusTellsIt() throws SQLException {
        // Given
        new PostgresRoutes(harness.pool, Schema.DEFAULT)
                .create(Route.named("late")
                        .fromBeginning()
                        .withFilter(new RouteFilter(Set.of(), Set.of("Late", "Placed"), Set.of())));
        Relay relay = harness.startRelay("r1", transport.publisher());
        List<Event> late = List.of(
                Event.of("shop", "Late").build(),
                Event.of("shop", "Late").key("k1").build(),
                Event.of("shop", "Other").build());
        try (Connection open = harness.postgres.dataSource().getConnection()) {
            open.setAutoCommit(false);
            harness.outbox.emit(open, late);
            for (int round = 1; round <= 4; round++) {
                harness.emit(events(100));
                transport.awaitCalls(round * 100);
            }
            open.commit();
        }
        transport.awaitCalls(403);
        relay.close();
        try (PublishedRoute other = PublishedRoute.start(harness.pool, "late", event -> true)) {
            Await.until("402 on the other route", () -> other.accepted().size() >= 402);
        }
        List<String> told = rows("SELECT id || ' ' || route || ' ' || to_char(published_at AT TIME ZONE 'UTC',"
                + " 'YYYY-MM-DD\"T\"HH24:MI:SS.US') FROM posthorn.outbox_status WHERE state = 'SENT'");

        // When
        prune(AT_ONCE);

        // Then
        List<String> archived = new ArrayList<>();
        for (Volume volume : folder.volumes()) {
            try (VolumeReader reader = folder.archive().read(volume.name())) {
                for (Optional<ArchivedEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                    UUID id = next.get().event().id();
                    next.get()
                            .publishedAt()
                            .forEach((route, at) -> archived.add(id + " " + route + " " + MICROS.format(at)));
                }
            }
        }
        assertThat(archived).hasSize(805).containsExactlyInAnyOrderElementsOf(told);
    }

    @ParameterizedTest
    @EnumSource
    void aFailureOfTheArchiveLosesNothing(FailingArchive.Step step) {
        Set<String> emitted = publish(MANY);

        assertThatThrownBy(() -> pruner(AT_ONCE, new FailingArchive(folder.archive(), step))
                        .prune(events -> {}))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("the test let it fail " + step);

        assertThat(inLog()).containsExactlyInAnyOrderElementsOf(emitted);
        Report report = prune(AT_ONCE);
        assertThat(report.busy()).isFalse();
        assertThat(report.events()).isEqualTo(MANY);
        assertThat(inLog()).isEmpty();
        // The same events make the same volume, so that after a failure past the end none is there twice.
        assertThat(folder.ids()).containsExactlyInAnyOrderElementsOf(emitted);
    }

    /**
     * The connection breaks at one statement of the run, as if the process or the server had been killed there. After the
     * lanes and the first turn there are three for each of 16 lanes (turn, look, read), then two for each to remove.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 10, 49, 50, 51, 60, 81, 82})
    void aFailureOfTheDatabaseLosesNothing(int statement) {
        Set<String> emitted = publish(MANY);
        BrokenConnections broken = new BrokenConnections(harness.postgres, statement);

        try {
            new PostgresPruner(broken, Schema.DEFAULT, AT_ONCE)
                    .withArchive(folder.archive())
                    .prune(events -> {});
        } catch (PosthornException expected) {
            assertThat(expected).hasMessageContaining("broken by the test");
        }

        assertThat(everywhere()).isEqualTo(emitted);
        broken.mend();
        harness.rows("UPDATE posthorn.archive SET turn_until = '-infinity' RETURNING 1");
        prune(AT_ONCE);
        assertThat(inLog()).isEmpty();
        assertThat(new HashSet<>(folder.ids())).isEqualTo(emitted);
        assertThat(folder.volumes())
                .allSatisfy(volume -> assertThat(volume.fault()).isEmpty());
    }

    @Test
    void aRouteThatComesMeanwhileKeepsWhatIsItsOwn() {
        Set<String> emitted = publish(MANY);
        PostgresRoutes routes = new PostgresRoutes(harness.pool, Schema.DEFAULT);
        Archive slow = new FailingArchive(
                folder.archive(),
                FailingArchive.Step.AFTER_FINISH,
                () -> routes.create(Route.named("audit").fromBeginning()));

        Report report = pruner(AT_ONCE, slow).prune(events -> {});

        assertThat(report.archived()).isEqualTo(MANY);
        assertThat(report.events()).isZero();
        assertThat(inLog()).isEqualTo(emitted);
    }

    @Test
    void aRowThatCommitsLateInTheMiddleIsNotTaken() throws SQLException {
        try (Connection open = harness.postgres.transaction()) {
            harness.outbox.emit(open, List.of(Event.of("shop", "Late").build()));
            publish(MANY);
            Archive slow = new FailingArchive(folder.archive(), FailingArchive.Step.AFTER_FINISH, () -> commit(open));

            Report report = pruner(AT_ONCE, slow).prune(events -> {});

            assertThat(report.events()).isEqualTo(MANY);
        }
        harness.startRelay("b", transport.publisher());
        Await.until(
                "it is published and archived by itself",
                () -> prune(AT_ONCE).events() >= 0 && folder.ids().size() == MANY + 1);
    }

    @Test
    void onlyTheRowsThatAreNamedAreRemoved() {
        publish(20);
        String call = "SELECT sum(posthorn.prune_archived(o.lane, 0, o.seq, interval '0', ARRAY[o.seq], ARRAY[%s]))"
                + " FROM posthorn.outbox o";

        assertThat(rows(String.format(call, "gen_random_uuid()"))).containsExactly("0");
        assertThat(inLog()).hasSize(20);
        assertThat(rows(String.format(call, "o.id") + " WHERE o.seq = 7")).containsExactly("1");
        assertThat(inLog()).hasSize(19);
    }

    /** One that has written its draft and waits before it finishes it. */
    private CompletableFuture<Report> startOneThatWaits(CountDownLatch goOn) throws InterruptedException {
        CountDownLatch written = new CountDownLatch(1);
        Archive slow = new FailingArchive(folder.archive(), FailingArchive.Step.BEFORE_FINISH, () -> {
            written.countDown();
            await(goOn);
        });
        CompletableFuture<Report> run =
                CompletableFuture.supplyAsync(() -> pruner(AT_ONCE, slow).prune(events -> {}));
        assertThat(written.await(60, TimeUnit.SECONDS)).isTrue();
        return run;
    }

    @Test
    void oneAtATimeArchives() throws Exception {
        Set<String> emitted = publish(MANY);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Report> first = startOneThatWaits(goOn);

        Report second = prune(AT_ONCE);

        assertThat(second.busy()).isTrue();
        assertThat(second.archived()).isZero();
        goOn.countDown();
        assertThat(first.get(60, TimeUnit.SECONDS).events()).isEqualTo(MANY);
        assertThat(folder.ids()).containsExactlyInAnyOrderElementsOf(emitted);
        assertThat(prune(AT_ONCE).busy()).isFalse();
    }

    /** The turn only spares work; that nothing is lost does not depend on it. */
    @Test
    void twoAtOnceLoseNothingEither() throws Exception {
        Set<String> emitted = publish(MANY);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Report> first = startOneThatWaits(goOn);
        harness.postgres.run("UPDATE posthorn.archive SET turn_until = '-infinity'");

        Report second = prune(AT_ONCE);
        goOn.countDown();
        Report late = first.get(60, TimeUnit.SECONDS);

        assertThat(second.events() + late.events()).isEqualTo(MANY);
        assertThat(new HashSet<>(folder.ids())).isEqualTo(emitted);
        assertThat(folder.volumes())
                .allSatisfy(volume -> assertThat(volume.fault()).isEmpty());
    }

    @Test
    void producersAndRelaysGoOnMeanwhile() {
        harness.startRelay("a", transport.publisher());
        CompletableFuture<Void> pruning = new CompletableFuture<>();
        Thread pruner = new Thread(() -> {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    prune(AT_ONCE);
                }
                pruning.complete(null);
            } catch (RuntimeException failed) {
                pruning.completeExceptionally(failed);
            }
        });
        pruner.start();
        List<Event> emitted = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            List<Event> some = events(20);
            harness.emit(some);
            emitted.addAll(some);
        }
        Await.until("all are archived", () -> inLog().isEmpty());
        pruner.interrupt();
        Await.until("the pruner ends", pruning::isDone);

        assertThat(pruning).isCompleted();
        List<String> ids = emitted.stream().map(event -> event.id().toString()).toList();
        assertThat(transport.events().stream().map(event -> event.id().toString()))
                .containsExactlyInAnyOrderElementsOf(ids);
        assertThat(folder.ids()).containsExactlyInAnyOrderElementsOf(ids);
    }

    // ---- hands

    private Report prune(Duration age) {
        return pruner(age, folder.archive()).prune(events -> {});
    }

    private PostgresPruner pruner(Duration age, Archive archive) {
        return new PostgresPruner(harness.pool, Schema.DEFAULT, age).withArchive(archive);
    }

    /** Emits and publishes so many, and has no relay running afterwards. */
    private Set<String> publish(int count) {
        List<Event> events = events(count);
        Relay relay = harness.startRelay("r" + UUID.randomUUID(), transport.publisher());
        harness.emit(events);
        Await.until(count + " to be published", () -> transport.calls().size() == count);
        relay.close();
        return new HashSet<>(events.stream().map(event -> event.id().toString()).toList());
    }

    private static List<Event> events(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Event.of("shop", "Placed")
                        .key("k" + i % 97)
                        .json("{\"i\":" + i + "}")
                        .build())
                .toList();
    }

    private void passDays(int days) throws SQLException {
        harness.postgres.run("UPDATE posthorn.flush SET at = at - interval '" + days + " days'");
        harness.postgres.run("UPDATE posthorn.outbox SET created_at = created_at - interval '" + days + " days'");
    }

    private Set<String> inLog() {
        return new HashSet<>(rows("SELECT id FROM posthorn.outbox"));
    }

    private Set<String> everywhere() {
        Set<String> all = new HashSet<>(inLog());
        all.addAll(folder.ids());
        return all;
    }

    private List<String> rows(String sql) {
        return harness.rows(sql);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static void commit(Connection open) {
        try {
            open.commit();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
