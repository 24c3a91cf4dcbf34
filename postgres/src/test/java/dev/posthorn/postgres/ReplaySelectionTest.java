package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.replay.Replay;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Target;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A replay takes what is selected and was committed when it started: no more, no less, each once, in order. */
class ReplaySelectionTest {

    private final ReplayScene scene = new ReplayScene();

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void eachCriterionSelects() throws SQLException {
        emitMixed();

        assertThat(scene.types(Selection.ALL)).containsExactlyInAnyOrder("A", "B", "C", "D", "E");
        assertThat(scene.types(Selection.ALL.withDomains(Set.of("ship")))).containsExactlyInAnyOrder("C");
        assertThat(scene.types(Selection.ALL.withTypes(Set.of("A", "D")))).containsExactlyInAnyOrder("A", "D");
        assertThat(scene.types(Selection.ALL.withAggregateTypes(Set.of("order"))))
                .containsExactlyInAnyOrder("A", "C");
        assertThat(scene.types(Selection.ALL.withKeys(Set.of("k2", "k3", "none"))))
                .containsExactlyInAnyOrder("B", "C", "D");
        assertThat(scene.types(Selection.ALL.withTenants(Set.of("t1")))).containsExactlyInAnyOrder("A", "D");
    }

    @Test
    void allThatIsGivenMustHold() throws SQLException {
        emitMixed();

        assertThat(scene.types(Selection.ALL
                        .withDomains(Set.of("shop"))
                        .withTypes(Set.of("A", "B", "C"))
                        .withAggregateTypes(Set.of("order"))
                        .withKeys(Set.of("k1", "k2"))
                        .withTenants(Set.of("t1"))))
                .containsExactlyInAnyOrder("A");
        assertThat(scene.types(Selection.ALL.withKeys(Set.of("k1")).withTypes(Set.of("B"))))
                .isEmpty();
    }

    @Test
    void aTimeRangeHasItsStartAndNotItsEnd() throws SQLException {
        emitMixed();
        scene.postgres.run(
                "UPDATE posthorn.outbox SET created_at = '2026-03-01Z'::timestamptz + seq * interval '1 day'");

        assertThat(scene.types(Selection.ALL.between(day(3), day(5)))).containsExactlyInAnyOrder("B", "C");
        assertThat(scene.types(Selection.ALL.between(day(5), null))).containsExactlyInAnyOrder("D", "E");
        assertThat(scene.types(Selection.ALL.between(null, day(3)).withTypes(Set.of("A", "E"))))
                .containsExactlyInAnyOrder("A");
    }

    @Test
    void whatIsReplayedIsTheSameEventWithAMark() throws SQLException {
        Event event = Event.of("shop", "Placed")
                .key("k")
                .header("h", "v")
                .aggregate("order", "17")
                .tenant("t")
                .payload(new byte[100_000], "application/octet-stream")
                .build();
        scene.emit(event);
        Replay replay = scene.start(Selection.ALL);

        assertThat(scene.published())
                .containsExactly(event.withHeader("replay", replay.id().toString()));
    }

    @Test
    void whatCommitsAfterTheStartIsNotPartOfItAndWhatCommittedBeforeIs() throws SQLException {
        Replay replay;
        try (Connection before = scene.postgres.transaction();
                Connection after = scene.postgres.transaction()) {
            scene.outbox.emit(before, ReplayScene.events(1, 1));
            scene.outbox.emit(after, List.of(Event.of("shop", "Late").build()));
            scene.emit(ReplayScene.events(1, 1));
            before.commit();
            replay = scene.start(Selection.ALL);
            after.commit();
        }
        scene.emit(Event.of("shop", "Later").build());

        assertThat(replay.progress().of()).isEqualTo(OptionalLong.of(2));
        assertThat(scene.published().stream().map(Event::type)).containsExactlyInAnyOrder("Placed", "Placed");
        assertThat(scene.types(Selection.ALL)).containsExactlyInAnyOrder("Placed", "Late", "Placed", "Later");
        Replay done = scene.desk.find(replay.id());
        assertThat(done.state()).isEqualTo(Replay.State.DONE);
        assertThat(done.progress().done()).isEqualTo(2);
    }

    @Test
    void manyLanesAndPagesComeInTheOrderOfTheLog() throws SQLException {
        scene.config = scene.config.withPage(500);
        scene.postgres.run("INSERT INTO posthorn.outbox (domain, type, key, sequence) SELECT 'shop', 'Placed',"
                + " CASE WHEN n % 3 = 0 THEN 'hot' WHEN n % 3 = 1 THEN 'k' || n % 97 END, n"
                + " FROM generate_series(1, 20000) AS n");
        scene.postgres.run("DELETE FROM posthorn.outbox WHERE seq BETWEEN 3000 AND 9000");

        scene.start(Selection.ALL);
        assertThat(scene.published().stream()
                        .filter(event -> event.key().filter("hot"::equals).isPresent())
                        .map(event -> event.sequence().getAsLong()))
                .hasSize(4_665)
                .isSorted();
        scene.start(Selection.ALL.withKeys(Set.of("hot", "k1")));
        assertThat(scene.published().stream()
                        .filter(event -> event.key().filter("hot"::equals).isPresent())
                        .map(event -> event.sequence().getAsLong()))
                .hasSize(4_665)
                .isSorted();
        assertThat(scene.desk.list())
                .allSatisfy(replay -> assertThat(replay.progress().of())
                        .isEqualTo(OptionalLong.of(replay.progress().done())));
    }

    @Test
    void largePayloadsComeInSmallPages() throws SQLException {
        for (int i = 0; i < 5; i++) {
            scene.emit(Event.of("shop", "Large")
                    .payload(new byte[7 << 20], "application/octet-stream")
                    .build());
        }

        assertThat(scene.types(Selection.ALL)).hasSize(5);
    }

    @Test
    void whatAsksForALaterTimeWasNotPublishedYet() throws SQLException {
        scene.emit(
                Event.of("shop", "Due")
                        .deliverAfter(Instant.now().minusSeconds(60))
                        .build(),
                Event.of("shop", "Later")
                        .deliverAfter(Instant.now().plusSeconds(3_600))
                        .build());

        assertThat(scene.types(Selection.ALL)).containsExactlyInAnyOrder("Due");
    }

    @Test
    void aRouteGetsNothingThatItDoesNotWant() throws SQLException {
        PostgresRoutes routes = new PostgresRoutes(scene.pool, Schema.DEFAULT);
        routes.create(Route.named("tenant").withFilter(new RouteFilter(Set.of(), Set.of(), Set.of("t1"))));
        emitMixed();
        Replay.Request narrow = Replay.Request.into(Target.route("tenant"));

        assertThat(scene.desk.look(narrow).progress().of()).isEqualTo(OptionalLong.of(2));
        assertThatThrownBy(() -> scene.desk.look(narrow.selecting(Selection.ALL.withTenants(Set.of("t2")))))
                .hasMessage("Route \"tenant\" wants none of these events. Correct the selection, or replay into"
                        + " another route.");
        assertThatThrownBy(() -> scene.desk.start(Replay.Request.into(Target.route("none"))))
                .hasMessageContaining("There is no live route \"none\"");
        assertThat(scene.desk.list()).isEmpty();
        assertThat(scene.postgres.rows("SELECT count(*) FROM posthorn.operator_action WHERE action LIKE '%replay'"))
                .containsExactly("0");
    }

    @Test
    void aRouteThatLeavesOutTenantsGetsOthersThatAreNamed() throws SQLException {
        PostgresRoutes routes = new PostgresRoutes(scene.pool, Schema.DEFAULT);
        routes.create(Route.named("rest").withFilter(RouteFilter.all().exceptTenants("t1")));
        emitMixed();
        Replay.Request into = Replay.Request.into(Target.route("rest"));

        assertThatThrownBy(() -> scene.desk.look(into))
                .hasMessage(
                        "Route \"rest\" leaves out tenants. Name the tenants to replay, or replay into another route.");
        assertThatThrownBy(() -> scene.desk.look(into.selecting(Selection.ALL.withTenants(Set.of("t1")))))
                .hasMessageContaining("wants none of these events");
        long ofTwo = scene.desk
                .look(into.selecting(Selection.ALL.withTenants(Set.of("t2"))))
                .progress()
                .of()
                .orElseThrow();

        assertThat(scene.desk
                        .look(into.selecting(Selection.ALL.withTenants(Set.of("t1", "t2"))))
                        .progress()
                        .of())
                .isEqualTo(OptionalLong.of(ofTwo));
        assertThat(ofTwo).isPositive();
    }

    @Test
    void whatIsTooMuchToCountIsUnknown() throws SQLException {
        scene.postgres.run(
                "INSERT INTO posthorn.outbox (domain, type) SELECT 'shop', 'Placed' FROM generate_series(1, 200000)");
        PostgresReplayDesk hasty = new PostgresReplayDesk(scene.pool, Schema.DEFAULT, Duration.ofMillis(1));

        Replay replay = hasty.start(ReplayScene.EVERYTHING);

        assertThat(replay.progress().of()).isEmpty();
        assertThat(replay.progress().end()).isEqualTo(200_000);
    }

    private void emitMixed() throws SQLException {
        scene.emit(
                Event.of("shop", "A")
                        .key("k1")
                        .aggregate("order", "1")
                        .tenant("t1")
                        .build(),
                Event.of("shop", "B")
                        .key("k2")
                        .aggregate("basket", "1")
                        .tenant("t2")
                        .build(),
                Event.of("ship", "C").key("k2").aggregate("order", "2").build(),
                Event.of("shop", "D").key("k3").tenant("t1").build(),
                Event.of("shop", "E").build());
    }

    private static Instant day(int day) {
        return OffsetDateTime.parse("2026-03-0" + day + "T00:00:00Z").toInstant();
    }
}
