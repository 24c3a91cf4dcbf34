package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RouteStart;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several routes over one log: where each begins, what it wants, and what an operator may do to it. */
@Tag("slow")
@Timeout(120)
class RoutesTest {

    private static final Route MAIN = Route.named("main");

    private final RelayHarness harness = new RelayHarness();
    private final PostgresRoutes routes = new PostgresRoutes(harness.pool, Schema.DEFAULT);
    private final RecordingTransport transport = RecordingTransport.accepting();
    private final List<Relay> relays = new ArrayList<>();

    @AfterEach
    void close() {
        relays.forEach(Relay::close);
        harness.close();
    }

    // ---- where it begins

    @Test
    void aRouteFromNowHasWhatCommitsAfterItsCreationHoweverLongThatTook() throws SQLException {
        harness.emit(event("before"));
        try (Connection open = harness.postgres.transaction()) {
            harness.outbox.emit(open, List.of(event("open")));
            harness.emit(event("before-too"));

            routes.create(MAIN.startingAt(RouteStart.now()));
            harness.emit(event("after"));
            open.commit();
        }

        start(MAIN, "a", transport);

        transport.awaitCalls(2);
        harness.emit(event("last"));
        transport.awaitCalls(3);
        assertThat(types(transport)).containsExactlyInAnyOrder("open", "after", "last");
        assertThat(harness.postgres.rows("SELECT type FROM posthorn.outbox_status WHERE route = 'main'"))
                .containsExactlyInAnyOrder("open", "after", "last");
    }

    @Test
    void theFirstRoutesOfALogStartAtItsBeginningAndLaterOnesNow() {
        harness.emit(event("before"));

        List<Route> first = routes.createMissing(List.of(MAIN, Route.named("audit")));
        List<Route> later = routes.createMissing(List.of(MAIN, Route.named("late")));

        assertThat(first).extracting(Route::start).containsExactly(RouteStart.beginning(), RouteStart.beginning());
        assertThat(later).containsExactly(Route.named("late").startingAt(RouteStart.now()));
        RecordingTransport late = RecordingTransport.accepting();
        start(MAIN, "a", transport);
        start(Route.named("late"), "b", late);
        harness.emit(event("after"));
        transport.awaitCalls(2);
        late.awaitCalls(1);
        assertThat(types(transport)).containsExactlyInAnyOrder("before", "after");
        assertThat(types(late)).containsExactly("after");
    }

    @Test
    void aRouteAfterARetiredOneIsNotTheFirst() {
        harness.emit(event("published"));
        routes.create(MAIN);
        routes.retire("main", "it is over");

        assertThat(routes.createMissing(List.of(Route.named("next"))))
                .containsExactly(Route.named("next").startingAt(RouteStart.now()));
    }

    @Test
    void aRouteFromTheBeginningHasEverything() {
        harness.emit(event("first"), event("second"));

        start(MAIN.fromBeginning(), "a", transport);

        transport.awaitCalls(2);
        assertThat(types(transport)).containsExactlyInAnyOrder("first", "second");
    }

    @Test
    void aRouteFromATimeHasWhatTheDatabaseReceivedFromThenOn() throws SQLException {
        harness.emit(event("yesterday"));
        harness.postgres.run("UPDATE posthorn.outbox SET created_at = now() - interval '1 day'");
        harness.emit(event("today"));

        start(MAIN.startingAt(RouteStart.at(Instant.now().minusSeconds(3_600))), "a", transport);

        transport.awaitCalls(1);
        harness.emit(event("later"));
        transport.awaitCalls(2);
        assertThat(types(transport)).containsExactlyInAnyOrder("today", "later");
    }

    @Test
    void aRouteFromATimeToComeHasWhatCommitsFromNowOn() {
        harness.emit(event("before"));
        routes.create(MAIN.startingAt(RouteStart.at(Instant.now().plusSeconds(3_600))));
        harness.emit(event("after"));

        start("main", "a", transport);

        transport.awaitCalls(1);
        assertThat(types(transport)).containsExactly("after");
    }

    // ---- what it wants

    @Test
    void eachRouteHasWhatItWantsInTheOrderOfItsKeys() throws SQLException {
        RouteFilter filter = new RouteFilter(Set.of("orders", "stock"), Set.of("even"), Set.of("acme"));
        Route some = MAIN.withFilter(filter).fromBeginning();
        RecordingTransport all = RecordingTransport.accepting();
        RecordingTransport few = RecordingTransport.answering((event, attempt) ->
                attempt < 3 && event.sequence().orElse(0) % 50 == 0 ? Outcome.failed("not yet") : Outcome.accepted());
        start(Route.named("all").fromBeginning(), "a", all);
        start(some, "b", few);

        List<Event> wanted = new ArrayList<>();
        List<Event> together = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            Event event = Event.of(i % 3 == 0 ? "orders" : i % 3 == 1 ? "stock" : "mail", i % 2 == 0 ? "even" : "odd")
                    .key("k" + i % 7)
                    .sequence(i)
                    .tenant(i % 5 == 0 ? null : i % 5 == 1 ? "other" : "acme")
                    .build();
            if (filter.wants(event)) {
                wanted.add(event);
            }
            together.add(event);
            if (together.size() == 40) {
                harness.emit(together);
                together.clear();
            }
        }

        all.awaitCalls(2_000);
        Await.until("every wanted event", () -> accepted(few).size() == wanted.size());
        for (int k = 0; k < 7; k++) {
            String key = "k" + k;
            assertThat(accepted(few).stream()
                            .filter(event -> event.key().orElse("").equals(key)))
                    .as(key)
                    .containsExactlyElementsOf(wanted.stream()
                            .filter(event -> event.key().orElse("").equals(key))
                            .toList());
        }
        Await.until("the route has passed everything", () -> positionsOf("main").equals(positionsOf("all")));
        Await.until(
                "all of it and nothing else is SENT", () -> statesOf("main").equals(List.of("SENT|" + wanted.size())));
    }

    @Test
    void aTenantWithARouteOfItsOwnIsLeftOutOfTheOther() throws SQLException {
        RecordingTransport large = RecordingTransport.accepting();
        Route rest = Route.named("rest").withFilter(RouteFilter.all().exceptTenants("acme"));
        start(rest.fromBeginning(), "a", transport);
        start(Route.named("large").withFilter(RouteFilter.ofTenants("acme")).fromBeginning(), "b", large);

        harness.emit(tenant("of-acme", "acme"), tenant("of-globex", "globex"), event("of-nobody"));

        transport.awaitCalls(2);
        large.awaitCalls(1);
        assertThat(types(transport)).containsExactlyInAnyOrder("of-globex", "of-nobody");
        assertThat(types(large)).containsExactly("of-acme");
        Await.until("nothing else is the route's", () -> statesOf("rest").equals(List.of("SENT|2")));
        assertThatThrownBy(() -> routes.create(Route.named("rest")))
                .hasMessageContaining("exists with another filter: all tenants but [acme], not every event");
    }

    private static Event tenant(String type, String tenant) {
        return Event.of("orders", type).tenant(tenant).build();
    }

    @Test
    void aRouteKeepsItsFilter() {
        routes.create(MAIN.withFilter(RouteFilter.ofDomains("orders")));

        assertThat(routes.create(MAIN.withFilter(RouteFilter.ofDomains("orders"))))
                .isFalse();
        assertThatThrownBy(() -> PostgresRelayStores.open(harness.pool, Schema.DEFAULT, MAIN, "a"))
                .hasMessageContaining("exists with another filter: domains [orders], not every event")
                .hasMessageContaining("Create another route");
        assertThat(PostgresRelayStores.open(harness.pool, Schema.DEFAULT, "main", "a")
                        .log()
                        .filter())
                .isEqualTo(RouteFilter.ofDomains("orders"));
    }

    // ---- what may be done to it

    @Test
    void aPausedRoutePublishesNothingUntilItIsResumed() throws SQLException {
        start(MAIN, "a", transport);
        start(MAIN, "b", transport);
        harness.emit(event("first"));
        transport.awaitCalls(1);

        assertThat(routes.pause("main", "the broker is being moved")).isTrue();
        assertThat(routes.pause("main", null)).isFalse();
        Await.until(
                "both relays have seen it",
                () -> relays.stream()
                        .filter(relay -> !relay.status().lanes().isEmpty())
                        .allMatch(relay -> relay.status().outage().orElse("").equals("the route is paused")));
        harness.emit(event("second"), keyed("third"));
        harness.postgres.run("SELECT pg_sleep(1.5)");
        assertThat(transport.calls()).hasSize(1);
        assertThat(routes.list().get(0).pausedAt()).isPresent();

        assertThat(routes.resume("main", null)).isTrue();
        transport.awaitCalls(3);
        assertThat(routes.list().get(0).pausedAt()).isEmpty();
        assertThat(harness.postgres.rows("SELECT action, target, reason FROM posthorn.operator_action ORDER BY id"))
                .containsExactly("pause|main|the broker is being moved", "resume|main|");
    }

    @Test
    void aPauseIsSeenWithinASecondAlsoWhereTheDestinationHangs() {
        RecordingTransport hanging = RecordingTransport.holding((event, attempt) -> Outcome.accepted());
        start(MAIN, "a", hanging);
        harness.emit(keyed("first"), keyed("second"));
        hanging.awaitCalls(1);

        routes.pause("main", null);
        Await.until("it has seen it", () -> relays.get(0).status().outage().isPresent());
        hanging.release();

        Await.until("the answer is taken", () -> relays.get(0).status().totals().published() == 1);
        assertThat(hanging.calls()).hasSize(1);
        routes.resume("main", null);
        hanging.awaitCalls(2);
    }

    @Test
    void aRelayOfAPausedRouteStopsAtOnceAndLeavesTheRestToTheNext() {
        Relay first = start(MAIN, "a", transport);
        routes.pause("main", null);
        Await.until("it has seen it", () -> first.status().outage().isPresent());
        harness.emit(event("waits"));

        long begin = System.nanoTime();
        first.close();
        assertThat(System.nanoTime() - begin).isLessThan(5_000_000_000L);

        routes.resume("main", null);
        start(MAIN, "b", transport);
        transport.awaitCalls(1);
    }

    @Test
    void aRetiredRoutePublishesNothingForEver() {
        Relay relay = start(MAIN, "a", transport);
        assertThat(routes.retire("main", "replaced")).isTrue();
        assertThat(routes.retire("main", "replaced")).isFalse();
        Await.until("it has seen it", () -> relay.status().outage().isPresent());

        assertThat(routes.list().get(0).retiredAt()).isPresent();
        assertThatThrownBy(() -> routes.resume("main", null))
                .hasMessageContaining("Route \"main\" is retired")
                .hasMessageContaining("Create another route");
    }

    @Test
    void aRouteThatIsNotThereIsSaid() {
        assertThatThrownBy(() -> routes.pause("nowhere", null)).hasMessageContaining("There is no route \"nowhere\"");
    }

    // ---- hands

    private Relay start(Route route, String name, RecordingTransport to) {
        return start(PostgresRelayStores.open(harness.pool, Schema.DEFAULT, route, name), to);
    }

    private Relay start(String route, String name, RecordingTransport to) {
        return start(PostgresRelayStores.open(harness.pool, Schema.DEFAULT, route, name), to);
    }

    private Relay start(Relay.Stores stores, RecordingTransport to) {
        Relay relay = Relay.start(stores, to.publisher(), harness.config, harness.policy);
        relays.add(relay);
        return relay;
    }

    private static Event event(String type) {
        return Event.of("shop", type).build();
    }

    private static Event keyed(String type) {
        return Event.of("shop", type).key("k").build();
    }

    private static List<String> types(RecordingTransport of) {
        return of.events().stream().map(Event::type).toList();
    }

    /** Each in the order of its last call, which is the one that was accepted. */
    private static List<Event> accepted(RecordingTransport of) {
        List<Event> events = new ArrayList<>();
        of.calls().stream()
                .filter(call -> call.attempt() >= 3 || call.event().sequence().orElse(0) % 50 != 0)
                .forEach(call -> events.add(call.event()));
        return events;
    }

    private List<String> statesOf(String route) {
        return rows("SELECT state, count(*) FROM posthorn.outbox_status WHERE route = '" + route + "' GROUP BY 1");
    }

    private List<String> positionsOf(String route) {
        return rows("SELECT DISTINCT ON (c.lane) c.lane, c.position FROM posthorn.checkpoint c"
                + " JOIN posthorn.route r ON r.id = c.route WHERE r.name = '" + route + "' ORDER BY c.lane, c.n DESC");
    }

    private List<String> rows(String sql) {
        return harness.rows(sql);
    }
}
