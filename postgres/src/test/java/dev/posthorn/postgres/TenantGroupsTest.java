package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.replay.Replay;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Target;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tenants that are subsidiaries of a group, and GROUP/* where tenants are named. */
class TenantGroupsTest {

    private static final List<String> NAMES = List.of(
            "acme",
            "acme/*",
            "acme/lagos",
            "acme/lagos/east",
            "acme/",
            "acme2",
            "acme2/lagos",
            "acm",
            "acm/*",
            "*",
            "*/*",
            "/*",
            "/lagos",
            "umbrella/*",
            "umbrella",
            "umbrella/rome",
            "a_me/*",
            "acme/%");
    private static final int FILTERS = TestSize.of(60, 200, 1_000);

    private final ReplayScene scene = new ReplayScene();
    private final PostgresRoutes routes = new PostgresRoutes(scene.pool, Schema.DEFAULT);

    @AfterEach
    void close() {
        scene.close();
    }

    private static Set<String> some(Random random) {
        Set<String> names = new TreeSet<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            names.add(NAMES.get(random.nextInt(NAMES.size())));
        }
        return names;
    }

    @Test
    void theDatabaseAndTheRelayAgreeWhoseAnEventIs() throws SQLException {
        TestSeed seed = TestSeed.next("TenantGroupsTest");
        Random random = seed.random();
        List<Event> events = new ArrayList<>(List.of(Event.of("d", "t").build()));
        NAMES.forEach(name -> events.add(Event.of("d", "t").tenant(name).build()));
        Event[] all = events.toArray(Event[]::new);
        scene.emit(all);
        List<String> expected = new ArrayList<>();

        for (int i = 0; i < FILTERS; i++) {
            Set<String> named = some(random);
            Set<String> left = named.isEmpty() ? some(random) : Set.of();
            RouteFilter filter = new RouteFilter(Set.of(), Set.of(), named, left);
            String route = "route-" + i;
            routes.create(Route.named(route).withFilter(filter));
            events.stream().filter(filter::wants).forEach(event -> expected.add(route + "|" + event.id()));
        }

        assertThat(scene.postgres.rows("SELECT r.name, o.id FROM posthorn.route r JOIN posthorn.outbox o"
                        + " ON posthorn.wants(r, o.domain, o.type, o.tenant) WHERE r.name LIKE 'route-%'"))
                .as("%s", seed)
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private void emitGroup() throws SQLException {
        scene.emit(
                Event.of("shop", "group").tenant("acme").build(),
                Event.of("shop", "lagos").tenant("acme/lagos").build(),
                Event.of("shop", "abuja").tenant("acme/abuja").build(),
                Event.of("shop", "other").tenant("acme2").build(),
                Event.of("shop", "nobody").build());
    }

    @Test
    void aReplayTakesAGroupWithItsSubsidiariesOrOneOfThem() throws SQLException {
        emitGroup();

        assertThat(scene.types(Selection.ALL.withTenants(Set.of("acme/*"))))
                .containsExactlyInAnyOrder("group", "lagos", "abuja");
        assertThat(scene.types(Selection.ALL.withTenants(Set.of("acme/lagos")))).containsExactly("lagos");
        assertThat(scene.types(Selection.ALL.withTenants(Set.of("acme")))).containsExactly("group");
    }

    private long into(String route, String... tenants) {
        return scene.desk
                .look(Replay.Request.into(Target.route(route)).selecting(Selection.ALL.withTenants(Set.of(tenants))))
                .progress()
                .of()
                .orElseThrow();
    }

    @Test
    void aReplayIntoARouteTakesWhatBothName() throws SQLException {
        emitGroup();
        routes.create(Route.named("lagos").withFilter(RouteFilter.ofTenants("acme/lagos", "acme2")));
        routes.create(Route.named("acme").withFilter(RouteFilter.ofTenants("acme/*")));
        routes.create(Route.named("rest").withFilter(RouteFilter.all().exceptTenants("acme/lagos")));

        assertThat(into("lagos", "acme/*")).isEqualTo(1);
        assertThat(into("acme", "acme/lagos", "acme2")).isEqualTo(1);
        assertThat(into("acme", "acme/*")).isEqualTo(3);
        assertThat(into("rest", "acme/abuja", "acme/lagos")).isEqualTo(1);
        assertThatThrownBy(() -> into("rest", "acme/*"))
                .hasMessageContaining("leaves out a part of a group that is to be replayed")
                .hasMessageContaining("Name its subsidiaries one by one");
    }

    @Test
    void eventsAreListedByGroupAndBySubsidiary() throws SQLException {
        emitGroup();
        PostgresEvents events = new PostgresEvents(scene.pool, Schema.DEFAULT);

        assertThat(events.newest(new PostgresEvents.Filter(null, null, "acme/*", null), PostgresEvents.END, 10))
                .extracting(PostgresEvents.Listed::type)
                .containsExactly("abuja", "lagos", "group");
        assertThat(events.newest(new PostgresEvents.Filter(null, null, "acme/lagos", null), PostgresEvents.END, 10))
                .extracting(PostgresEvents.Listed::type)
                .containsExactly("lagos");
    }
}
