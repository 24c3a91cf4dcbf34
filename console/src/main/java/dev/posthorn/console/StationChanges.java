package dev.posthorn.console;

import dev.posthorn.console.Endpoint.Manual;
import dev.posthorn.postgres.PostgresActions;
import dev.posthorn.postgres.PostgresConsumerDesk;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RouteStart;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Changes of routes and consumers. */
final class StationChanges {

    private static final List<String> REASON = List.of("reason");
    private static final int LONGEST_TEST = 20;

    /** Changes a route or a consumer; returns whether that is new. */
    private interface Turn {
        boolean change(Desk desk, String who, String name, String reason);
    }

    private final Live live;
    private final Once once;
    private final Semaphore testing = new Semaphore(1);

    StationChanges(Live live, Once once) {
        this.live = live;
        this.once = once;
    }

    List<Endpoint> all() {
        return List.of(
                Endpoint.post(
                        "/v1/routes",
                        Right.ADMIN,
                        Manual.of("Creates a route unless it is there.", "Changed")
                                .taking("NewRoute"),
                        once.of(StationChanges::create)),
                turn(
                        "route",
                        "pause",
                        Right.OPERATE,
                        "Publishes nothing of a route until it is resumed.",
                        (desk, who, name, reason) -> routes(desk, who).pause(name, reason)),
                turn(
                        "route",
                        "resume",
                        Right.OPERATE,
                        "Lets a paused route go on where it was.",
                        (desk, who, name, reason) -> routes(desk, who).resume(name, reason)),
                turn(
                        "route",
                        "retire",
                        Right.ADMIN,
                        "Ends a route for good: nothing is published or kept for it any more.",
                        (desk, who, name, reason) -> routes(desk, who).retire(name, reason)),
                turn(
                        "consumer",
                        "pause",
                        Right.OPERATE,
                        "Lets a consumer take nothing more until it is resumed.",
                        (desk, who, name, reason) -> consumers(desk, who).pause(name, reason)),
                turn(
                        "consumer",
                        "resume",
                        Right.OPERATE,
                        "Lets a paused consumer go on where it was.",
                        (desk, who, name, reason) -> consumers(desk, who).resume(name, reason)),
                Endpoint.post(
                        "/v1/routes/{name}/test",
                        Right.OPERATE,
                        Manual.of(
                                        "Sends a marked event through a route, which consumers do not handle, and tells each hop.",
                                        "RouteTest")
                                .taking("RouteTestOrder"),
                        once.of(this::test)));
    }

    private static PostgresRoutes routes(Desk desk, String who) {
        return new PostgresRoutes(desk.database(), desk.schema()).as(who);
    }

    private static PostgresConsumerDesk consumers(Desk desk, String who) {
        return new PostgresConsumerDesk(desk.database(), desk.schema()).as(who);
    }

    private static Answer create(Call call, Desk desk) {
        Wish wish = call.wish();
        wish.only(List.of("reason", "name", "domains", "types", "tenants", "except_tenants", "start"));
        Route route = route(wish);
        boolean isNew = routes(desk, call.who().name()).create(route, wish.reason());
        return Answer.json(ChangedFormat.json("create", "route", route.name(), isNew));
    }

    private static Route route(Wish wish) {
        try {
            return new Route(
                    wish.required("name"),
                    new RouteFilter(
                            new LinkedHashSet<>(wish.texts("domains")),
                            new LinkedHashSet<>(wish.texts("types")),
                            new LinkedHashSet<>(wish.texts("tenants")),
                            new LinkedHashSet<>(wish.texts("except_tenants"))),
                    Optional.ofNullable(wish.text("start"))
                            .map(RouteStart::parse)
                            .orElse(RouteStart.auto()));
        } catch (IllegalArgumentException invalid) {
            throw Refusal.unprocessable(invalid.getMessage() + " Nothing was created.");
        }
    }

    private Endpoint turn(String what, String verb, Right right, String summary, Turn turn) {
        return Endpoint.post(
                "/v1/" + what + "s/{name}/" + verb,
                right,
                Manual.of(summary, "Changed").taking("Reason"),
                once.of((call, desk) -> {
                    call.wish().only(REASON);
                    String name = call.variable("name");
                    boolean changed = turn.change(
                            desk, call.who().name(), name, call.wish().reason());
                    return Answer.json(ChangedFormat.json(verb, what, name, changed));
                }));
    }

    /** One at a time: it holds a connection for as long as it takes. Its event is committed at once, or none would see it. */
    private Answer test(Call call, Desk desk) {
        Wish wish = call.wish();
        wish.only(List.of("reason", "domain", "type", "tenant", "key", "consumers", "within_seconds"));
        String route = call.variable("name");
        Duration within = Duration.ofSeconds(
                wish.number("within_seconds", 1, LONGEST_TEST).orElse(LONGEST_TEST / 2));
        if (!testing.tryAcquire()) {
            throw Refusal.of(429, "too-busy", "Another route is being tested. Ask again when that is over.");
        }
        try {
            WireTestWatch watch = new WireTestRun(live.desk().database(), desk.schema())
                    .run(
                            route,
                            new WireTestRun.Mark(
                                    wish.text("domain"), wish.text("type"), wish.text("tenant"), wish.text("key")),
                            wish.texts("consumers"),
                            within);
            new PostgresActions(desk.schema(), call.who().name())
                    .record(
                            desk.database(),
                            new PostgresActions.Deed(
                                    "test_route", route, watch.event().toString(), wish.reason(), 1));
            return Answer.json(watch.json());
        } finally {
            testing.release();
        }
    }
}
