package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.postgres.PostgresPruner.Report;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.replay.Replay;
import dev.posthorn.replay.ReplayConfig;
import dev.posthorn.replay.ReplayStep;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Target;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Only what every route has published long ago, and nobody needs any more, is removed. */
@Tag("slow")
@Timeout(180)
@Tag("exact")
class PrunerTest {

    private static final Duration AT_ONCE = Duration.ZERO;
    private static final Duration MONTH = PostgresPruner.STANDARD_RETENTION;

    private final RelayHarness harness = new RelayHarness();
    private final PostgresRoutes routes = new PostgresRoutes(harness.pool, Schema.DEFAULT);
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final RecordingTransport transport = RecordingTransport.answering((event, attempt) ->
            refused.contains(event.type()) ? Outcome.refused("refused by the test") : Outcome.accepted());

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void whatIsPublishedIsRemovedAfterItsRetentionAndNotBefore() throws SQLException {
        harness.startRelay("a", transport.publisher());
        harness.emit(events(2_500, "Placed"));
        awaitSent(2_500);

        assertThat(prune(MONTH)).isEqualTo(Report.removed(0, 2_500, false));
        passDays(31);
        assertThat(pruner(MONTH).look().events()).isEqualTo(2_500);
        assertThat(left()).hasSize(2_500);

        Report report = prune(MONTH);

        assertThat(report.events()).isEqualTo(2_500);
        assertThat(left()).isEmpty();
        harness.emit(event("Later"));
        awaitSent(1);
    }

    /** A seq below the position is no proof: its transaction may have been open when the cursor passed. */
    @Test
    void aRowThatCommitsLateIsNotRemovedBeforeItIsPublished() throws SQLException {
        Relay relay = harness.startRelay("a", transport.publisher());
        try (Connection open = harness.postgres.transaction()) {
            harness.outbox.emit(open, List.of(event("Late")));
            harness.emit(events(200, "Placed"));
            awaitSent(200);
            relay.close();
            open.commit();
        }

        assertThat(prune(AT_ONCE).events()).isEqualTo(200);
        assertThat(left()).containsExactly("Late");

        harness.startRelay("b", transport.publisher());
        awaitSent(1);
        Await.until("it may go", () -> prune(AT_ONCE).events() == 1);
    }

    @Test
    void aRouteThatLagsKeepsWhatItHasNotPublished() throws SQLException {
        routes.create(Route.named("slow").fromBeginning());
        harness.startRelay("a", transport.publisher());
        harness.emit(events(50, "Placed"));
        Await.until("main has it", () -> transport.calls().size() == 50);

        assertThat(prune(AT_ONCE).events()).isZero();

        routes.retire("slow", "nobody reads it");
        Await.until("it may go", () -> prune(AT_ONCE).events() > 0 && left().isEmpty());
    }

    @Test
    void aPausedRouteKeepsItToo() throws SQLException {
        routes.create(Route.named("paused"));
        routes.pause("paused", null);
        harness.startRelay("a", transport.publisher());
        harness.emit(event("Placed"));
        awaitSentOn("main", 1);

        assertThat(prune(AT_ONCE).events()).isZero();
    }

    @Test
    void aRouteThatStartedLaterDoesNotKeepWhatIsNotItsOwn() throws SQLException {
        harness.startRelay("a", transport.publisher());
        harness.emit(events(20, "Placed"));
        awaitSent(20);
        routes.create(Route.named("new"));

        assertThat(prune(AT_ONCE).events()).isEqualTo(20);
    }

    @Test
    void aDeadEventAHeldKeyAndAScheduledEventStay() throws SQLException {
        refused.add("Bad");
        harness.policy = harness.policy.withAfterDead(RoutePolicy.AfterDead.HOLD);
        harness.startRelay("a", transport.publisher());
        Event later = Event.of("shop", "Later")
                .deliverAfter(Instant.now().plusSeconds(3_600))
                .build();
        harness.emit(event("Good"), keyed("Bad"), keyed("Behind"), later);
        Await.until(
                "all are where they stay",
                () -> rows("SELECT type, state FROM posthorn.outbox_status ORDER BY 1")
                        .equals(List.of("Bad|FAILED", "Behind|PARKED", "Good|SENT", "Later|DELAYED")));

        assertThat(prune(AT_ONCE).events()).isEqualTo(1);
        assertThat(left()).containsExactlyInAnyOrder("Bad", "Behind", "Later");

        refused.clear();
        String bad = rows("SELECT id FROM posthorn.outbox WHERE type = 'Bad'").get(0);
        harness.postgres.run("SELECT posthorn.redrive('main', '" + bad + "', 'mended')");
        Await.until("they may go", () -> prune(AT_ONCE).events() >= 0 && left().equals(List.of("Later")));
        assertThat(transport.events().stream().map(Event::type))
                .containsExactlyInAnyOrder("Good", "Bad", "Bad", "Behind");
    }

    @Test
    void whatAReplayHasToPublishStaysUntilItHas() throws SQLException {
        harness.startRelay("a", transport.publisher());
        harness.emit(events(20, "Replayed"));
        harness.emit(events(20, "Placed"));
        awaitSent(40);
        PostgresReplayDesk desk = new PostgresReplayDesk(harness.pool, Schema.DEFAULT);
        Target main = Target.route("main");
        Replay replay = desk.start(Replay.Request.into(main).selecting(Selection.ALL.withTypes(Set.of("Replayed"))));

        assertThat(prune(AT_ONCE).events()).isEqualTo(20);
        assertThat(left()).hasSize(20).containsOnly("Replayed");

        PostgresReplays store = new PostgresReplays(harness.pool, Schema.DEFAULT);
        RecordingTransport refusing = RecordingTransport.answering((event, attempt) -> Outcome.refused("by the test"));
        run(new ReplayStep(new ReplayStep.Parts("a", main, store, refusing.publisher(), ReplayConfig.standard())));
        assertThat(desk.find(replay.id()).state()).isEqualTo(Replay.State.FAILED);
        assertThat(prune(AT_ONCE).events()).isZero();

        desk.resume(replay.id(), null);
        run(new ReplayStep(new ReplayStep.Parts("a", main, store, transport.publisher(), ReplayConfig.standard())));
        assertThat(desk.find(replay.id()).progress().done()).isEqualTo(20);
        assertThat(prune(AT_ONCE).events()).isEqualTo(20);
    }

    @Test
    void aReplayThatIsCancelledLetsItsEventsGo() throws SQLException {
        harness.startRelay("a", transport.publisher());
        harness.emit(events(20, "Placed"));
        awaitSent(20);
        PostgresReplayDesk desk = new PostgresReplayDesk(harness.pool, Schema.DEFAULT);
        Replay replay = desk.start(Replay.Request.into(Target.consumer("billing")));
        assertThat(prune(AT_ONCE).events()).isZero();

        desk.cancel(replay.id(), "not needed");

        assertThat(prune(AT_ONCE).events()).isEqualTo(20);
    }

    private static void run(ReplayStep step) {
        for (int i = 0; i < 100; i++) {
            step.runOnce();
        }
    }

    @Test
    void attemptsGoWithTheirEvents() throws SQLException {
        RecordingTransport second = RecordingTransport.answering(
                (event, attempt) -> attempt < 3 ? Outcome.failed("not yet") : Outcome.accepted());
        harness.startRelay("a", second.publisher());
        harness.emit(event("Placed"));
        awaitSent(1);
        assertThat(rows("SELECT count(*) FROM posthorn.attempt")).containsExactly("2");

        Await.until("it may go", () -> prune(AT_ONCE).events() == 1);

        assertThat(rows("SELECT count(*) FROM posthorn.attempt")).containsExactly("0");
    }

    @Test
    void checkpointsAreCompactedAndStillDateWhatIsThere() throws SQLException {
        routes.create(Route.named("slow").fromBeginning());
        Relay relay = harness.startRelay("a", transport.publisher());
        for (int i = 0; i < 30; i++) {
            int sent = (i + 1) * 5;
            harness.emit(events(5, "Early"));
            Await.until("a batch", () -> transport.calls().size() == sent);
        }
        awaitSentOn("main", 150);
        passDays(40);
        harness.emit(events(100, "Kept"));
        awaitSentOn("main", 250);
        relay.close();
        routes.retire("slow", "not needed");
        List<String> before = published("Kept");
        long checkpoints = count("checkpoint");

        Report report = prune(MONTH);

        assertThat(report.events()).isEqualTo(150);
        assertThat(report.checkpoints()).isPositive();
        assertThat(report.flushes()).isPositive();
        assertThat(count("checkpoint")).isEqualTo(checkpoints - report.checkpoints());
        assertThat(published("Kept")).isEqualTo(before);
        assertThat(rows("SELECT count(*) FROM posthorn.checkpoint c"
                        + " LEFT JOIN posthorn.flush f ON f.id = c.flush WHERE f.id IS NULL"))
                .containsExactly("0");
        transport.calls();
        harness.startRelay("b", transport.publisher());
        harness.emit(event("Last"));
        Await.until("the relay goes on", () -> transport.calls().size() == 251);
    }

    @Test
    void ofTwoPrunersOneYields() throws SQLException {
        harness.startRelay("a", transport.publisher());
        harness.emit(event("Placed"));
        awaitSent(1);
        try (Connection other = harness.postgres.transaction()) {
            TestPostgres.rows(other, "SELECT posthorn.prune(0::smallint, 0, interval '1 year', 10)");

            assertThat(prune(AT_ONCE).busy()).isTrue();
            assertThat(left()).hasSize(1);
            other.rollback();
        }
        assertThat(prune(AT_ONCE).busy()).isFalse();
    }

    @Test
    void withoutARouteNothingIsRemoved() throws SQLException {
        harness.emit(event("Placed"));

        assertThat(prune(AT_ONCE).events()).isZero();
        harness.postgres.run("SELECT posthorn.prune(lane, 0, interval '0', 10) FROM posthorn.outbox");
        assertThat(left()).hasSize(1);
    }

    @Test
    void aNegativeRetentionIsRefused() {
        assertThatThrownBy(() -> pruner(Duration.ofDays(-1))).hasMessageContaining("must not be negative");
        assertThatThrownBy(() -> harness.postgres.run("SELECT posthorn.prune(0::smallint, 0, interval '-1 day', 10)"))
                .hasMessageContaining("retention");
    }

    // ---- hands

    private PostgresPruner pruner(Duration retention) {
        return new PostgresPruner(harness.pool, Schema.DEFAULT, retention);
    }

    private Report prune(Duration retention) {
        return pruner(retention).prune(events -> {});
    }

    /** As if everything so far had happened that many days earlier. */
    private void passDays(int days) throws SQLException {
        harness.postgres.run("UPDATE posthorn.flush SET at = at - interval '" + days + " days'");
        harness.postgres.run("UPDATE posthorn.outbox SET created_at = created_at - interval '" + days + " days'");
    }

    private static List<Event> events(int count, String type) {
        return IntStream.range(0, count)
                .mapToObj(i -> Event.of("shop", type).key("k" + i % 97).build())
                .toList();
    }

    private static Event event(String type) {
        return Event.of("shop", type).build();
    }

    private static Event keyed(String type) {
        return Event.of("shop", type).key("k").build();
    }

    private void awaitSent(int count) {
        awaitSentOn("main", count);
    }

    private void awaitSentOn(String route, int count) {
        Await.until(
                count + " events to be SENT",
                () -> rows("SELECT count(*) FROM posthorn.outbox_status WHERE state = 'SENT' AND route = '" + route
                                + "'")
                        .equals(List.of(Integer.toString(count))));
    }

    private List<String> rows(String sql) {
        return harness.rows(sql);
    }

    private List<String> left() {
        return rows("SELECT type FROM posthorn.outbox");
    }

    private long count(String table) {
        return Long.parseLong(rows("SELECT count(*) FROM posthorn." + table).get(0));
    }

    private List<String> published(String type) {
        return new ArrayList<>(rows("SELECT seq, published_at FROM posthorn.outbox_status" + " WHERE type = '" + type
                + "' AND route = 'main' ORDER BY 1"));
    }
}
