package dev.posthorn.postgres;

import dev.posthorn.postgres.PostgresFigures.Count;
import dev.posthorn.postgres.PostgresFigures.LaneFigures;
import dev.posthorn.postgres.PostgresFigures.RouteFigures;
import dev.posthorn.postgres.PostgresFigures.Since;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The lanes of one route as the one statement that knows what waits told them. */
record LaneRows(String route, boolean paused, boolean retired, List<Lane> lanes) {

    /** As the statement has it. */
    private static final int MOST_KEYS = 1_000;

    /**
     * One of them.
     *
     * @param distance from its cursor to its end, in numbers that all lanes share; 0 at the end
     */
    record Lane(
            int lane, long epoch, Optional<String> owner, Instant movedAt, Events events, Times times, long distance) {}

    /** What was counted, each up to a limit for the route. */
    record Events(long seen, long waiting, long later, long parked, Single single, Keys keys) {}

    /** Events that are off the way one by one, and those of them that are tried again. */
    record Single(long all, long again) {}

    /** Keys that wait, and those of them that wait for an operator. */
    record Keys(long blocked, long held) {}

    /** When the first event that waits, the first of any, and the first that is parked began to; and the time of the look. */
    record Times(Optional<Instant> since, Optional<Instant> firstSince, Optional<Instant> parkedSince, Instant now) {}

    private record Row(String route, boolean paused, boolean retired, Lane lane) {}

    /** Every route, retired ones included, by name. */
    static List<LaneRows> read(Looks looks) {
        Map<String, LaneRows> routes = new LinkedHashMap<>();
        looks.query(
                        "figures_lanes",
                        bind -> {
                            for (int i = 1; i <= 8; i++) {
                                bind.value(PostgresFigures.ONE_MORE);
                            }
                        },
                        LaneRows::row)
                .forEach(row -> routes.computeIfAbsent(
                                row.route(), name -> new LaneRows(name, row.paused(), row.retired(), new ArrayList<>()))
                        .lanes()
                        .add(row.lane()));
        return List.copyOf(routes.values());
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                row.getString("route"),
                row.getBoolean("paused"),
                row.getBoolean("retired"),
                new Lane(
                        row.getInt("lane"),
                        row.getLong("epoch"),
                        Looks.text(row, "owner"),
                        Looks.time(row, "moved_at"),
                        new Events(
                                row.getLong("seen"),
                                row.getLong("waiting"),
                                row.getLong("later"),
                                row.getLong("parked"),
                                new Single(row.getLong("single"), row.getLong("again")),
                                new Keys(row.getLong("blocked"), row.getLong("held"))),
                        new Times(
                                Looks.optionalTime(row, "since"),
                                Looks.optionalTime(row, "first_since"),
                                Looks.optionalTime(row, "parked_since"),
                                Looks.time(row, "now")),
                        Math.max(0, row.getLong("distance"))));
    }

    RouteFigures figures() {
        return new RouteFigures(
                route,
                paused,
                lanes.stream().map(this::figures).toList(),
                capped(sum(events -> events.keys().blocked())),
                sum(events -> events.keys().held()),
                new Count(
                        sum(events -> events.later()
                                + events.single().all()
                                - events.single().again()),
                        seesAll() && isCounted(sum(events -> events.single().all()))));
    }

    private LaneFigures figures(Lane lane) {
        Events events = lane.events();
        boolean exact = seesAll()
                && isCounted(sum(Events::parked))
                && isCounted(sum(one -> one.single().all()))
                && sum(one -> one.keys().blocked()) <= MOST_KEYS;
        Times times = lane.times();
        return new LaneFigures(
                lane.lane(),
                lane.epoch(),
                lane.owner(),
                lane.movedAt(),
                new Count(ahead(lane) + events.parked() + events.single().again(), exact),
                new Since(
                        seesAll() || times.since().isPresent() ? times.since() : times.firstSince(),
                        times.parkedSince()),
                times.now());
    }

    /** Events that the lane has not passed. What lies behind the limit is taken to be like what was seen. */
    private long ahead(Lane lane) {
        long waiting = lane.events().waiting();
        if (seesAll()) {
            return waiting;
        }
        double share = (double) sum(Events::waiting) / sum(Events::seen);
        return Math.max(waiting, Math.round(share * lane.distance() / lanes.size()));
    }

    private boolean seesAll() {
        return isCounted(sum(Events::seen));
    }

    private long sum(ToLongFunction<Events> of) {
        return lanes.stream().map(Lane::events).mapToLong(of).sum();
    }

    private static boolean isCounted(long counted) {
        return counted <= PostgresFigures.MOST_COUNTED;
    }

    private static Count capped(long counted) {
        return new Count(Math.min(counted, PostgresFigures.MOST_COUNTED), isCounted(counted));
    }
}
