package dev.posthorn.console;

import dev.posthorn.console.Endpoint.Manual;
import dev.posthorn.postgres.PostgresReplayDesk;
import dev.posthorn.replay.Replay;
import dev.posthorn.replay.Replay.State;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Source;
import dev.posthorn.replay.Target;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** Replays, started and decided about. */
final class ReplayChanges {

    private static final int HIGHEST_RATE = 9_999_999;
    private static final List<String> FIELDS = List.of("reason", "route", "consumer", "selection", "rate", "dry_run");
    private static final List<String> SELECTION =
            List.of("domains", "types", "aggregate_types", "keys", "tenants", "from", "to");

    private final Once once;

    ReplayChanges(Once once) {
        this.once = once;
    }

    List<Endpoint> all() {
        return List.of(
                Endpoint.post(
                        "/v1/replays",
                        Right.OPERATE,
                        Manual.of("Publishes again what is selected, into a route or straight to a consumer.", "Replay")
                                .taking("ReplayOrder"),
                        once.of((call, desk) -> start(call, desk(desk, call)))),
                decision(
                        "cancel",
                        "Ends a replay for ever. What it has published stays published.",
                        EnumSet.of(State.RUNNING, State.FAILED),
                        PostgresReplayDesk::cancel),
                decision(
                        "resume",
                        "Lets a replay that failed go on with the event that stopped it.",
                        EnumSet.of(State.FAILED),
                        PostgresReplayDesk::resume));
    }

    /** Changes a replay. */
    private interface Decision {
        void make(PostgresReplayDesk desk, UUID replay, String reason);
    }

    private Endpoint decision(String verb, String summary, Set<State> of, Decision decision) {
        return Endpoint.post(
                "/v1/replays/{id}/" + verb,
                Right.OPERATE,
                Manual.of(summary, "Replay").taking("Reason"),
                once.of((call, desk) -> {
                    call.wish().only(List.of("reason"));
                    PostgresReplayDesk replays = desk(desk, call);
                    Replay replay = known(replays, call.id("id"));
                    if (!of.contains(replay.state())) {
                        throw Refusal.conflict(
                                "not-in-this-state",
                                "Replay " + replay.id() + " is " + replay.state() + ", so there is nothing to " + verb
                                        + ". Nothing was changed.");
                    }
                    decision.make(replays, replay.id(), call.wish().reason());
                    return Answer.json(ReplayFormat.one(known(replays, replay.id())));
                }));
    }

    /** Throws if there is none. */
    static Replay known(PostgresReplayDesk desk, UUID id) {
        return desk.list().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow(() -> Refusal.missing("There is no replay " + id + ". See: posthorn replay list"));
    }

    private static PostgresReplayDesk desk(Desk desk, Call call) {
        return new PostgresReplayDesk(desk.database(), desk.schema())
                .as(call.who().name());
    }

    private static Answer start(Call call, PostgresReplayDesk desk) {
        Wish wish = call.wish();
        wish.only(FIELDS);
        Replay.Request request = request(wish);
        return wish.flag("dry_run")
                ? Answer.json(ReplayFormat.dryRun(desk.look(request)))
                : Answer.json(ReplayFormat.one(desk.start(request)));
    }

    private static Replay.Request request(Wish wish) {
        String route = wish.text("route");
        String consumer = wish.text("consumer");
        if ((route == null) == (consumer == null)) {
            throw Refusal.invalid("Say where to: either a route, or a consumer. Nothing was started.");
        }
        Optional<Integer> rate = wish.number("rate", 1, HIGHEST_RATE);
        try {
            return new Replay.Request(
                    selection(wish.inside("selection")),
                    route != null ? Target.route(route) : Target.consumer(String.valueOf(consumer)),
                    Source.log(),
                    rate.isPresent() ? OptionalInt.of(rate.get()) : OptionalInt.empty(),
                    Optional.of(wish.reason()));
        } catch (IllegalArgumentException invalid) {
            throw Refusal.unprocessable(invalid.getMessage() + " Nothing was started.");
        }
    }

    private static Selection selection(Wish wish) {
        wish.only(SELECTION);
        return new Selection(
                set(wish, "domains"),
                set(wish, "types"),
                set(wish, "aggregate_types"),
                set(wish, "keys"),
                set(wish, "tenants"),
                time(wish, "from"),
                time(wish, "to"));
    }

    private static Set<String> set(Wish wish, String name) {
        return new TreeSet<>(wish.texts(name));
    }

    private static Optional<Instant> time(Wish wish, String name) {
        return Optional.ofNullable(wish.text(name)).map(text -> Call.time(name, text));
    }
}
