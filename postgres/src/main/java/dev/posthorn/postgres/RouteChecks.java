package dev.posthorn.postgres;

import dev.posthorn.postgres.PostgresFigures.Count;
import dev.posthorn.postgres.PostgresInspection.LaneStatus;
import dev.posthorn.postgres.PostgresInspection.LiveRelay;
import dev.posthorn.postgres.PostgresRoutes.RouteStatus;
import dev.posthorn.relay.RelayStatus;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What the doctor looks at in the routes. Ages are by the database's clock, which wrote the times. */
final class RouteChecks {

    private static final int MOST_KEYS = 10;
    private static final int NEWEST_OF_A_LANE = 500;

    private RouteChecks() {}

    static boolean look(Examination of) throws SQLException {
        Instant now = ServerChecks.now(of);
        PostgresInspection inspection = new PostgresInspection(of.database(), of.schema());
        List<LaneStatus> lanes = inspection.lanes();
        List<RouteStatus> live = new PostgresRoutes(of.database(), of.schema())
                .list().stream().filter(route -> route.retiredAt().isEmpty()).toList();
        for (RouteStatus route : live) {
            look(
                    of,
                    now,
                    route,
                    lanes.stream()
                            .filter(lane -> lane.route().equals(route.name()))
                            .toList());
        }
        List<String> unroutable = live.isEmpty() ? List.of() : unroutable(of);
        unrouted(of, inspection, unroutable);
        inspection.relays().stream().filter(RouteChecks::isCutOff).forEach(relay -> destination(of, relay));
        blockedKeys(of, now, inspection);
        deadLetters(of, inspection);
        return true;
    }

    private static void look(Examination of, Instant now, RouteStatus route, List<LaneStatus> lanes) {
        Optional<Instant> paused = route.pausedAt();
        if (paused.isPresent()) {
            paused(of, now, route, paused.get());
            return;
        }
        long held = lanes.stream().filter(lane -> lane.owner().isPresent()).count();
        if (held == 0) {
            of.found(
                    "relay",
                    lanes.stream().anyMatch(lane -> lane.waiting() > 0),
                    "route " + route.name() + " has no live relay; " + waiting(lanes) + " events wait",
                    "Nothing of it is published, and nothing is pruned. Start one: posthorn relay --route "
                            + route.name() + ", or pause or retire the route.");
        } else if (held < lanes.size()) {
            of.found(
                    "lanes",
                    false,
                    "route " + route.name() + ": nobody holds " + (lanes.size() - held) + " of " + lanes.size()
                            + " lanes",
                    "After a crash that lasts as long as the lease, 15 s by default. If it stays, see which relays are alive:"
                            + " posthorn relays list; and look at their logs.");
        }
        lanes.stream()
                .filter(lane -> lane.owner().isPresent()
                        && lane.figures().standing().compareTo(of.limits().standstill()) > 0)
                .forEach(lane -> of.found(
                        "standstill",
                        true,
                        "route " + route.name() + ", lane " + lane.lane() + ": " + waiting(List.of(lane))
                                + " events wait, the oldest since "
                                + lane.figures()
                                        .oldestSince()
                                        .orElse(lane.figures().movedAt())
                                + ", and relay " + lane.owner().orElse("?") + " has not moved it since "
                                + lane.figures().movedAt(),
                        "Its destination is not there or does not answer, or the relay is stuck. posthorn status"
                                + " tells what the relay says; posthorn routes test "
                                + route.name() + " sends an event through."));
    }

    private static boolean isCutOff(LiveRelay relay) {
        return relay.lanes() > 0 && relay.work().obstacle().equals(Optional.of(RelayStatus.Obstacle.DESTINATION));
    }

    private static void destination(Examination of, LiveRelay relay) {
        of.found(
                "destination",
                true,
                "route " + relay.route() + ": relay " + relay.name() + " does not get through to the destination: "
                        + relay.work().outage().orElse("it gave no reason"),
                "Events wait, and no attempt is charged. Fix the broker, its address or the credentials; the relay continues by"
                        + " itself.");
    }

    /** In words. */
    private static String waiting(List<LaneStatus> lanes) {
        Count waiting = Count.sum(lanes.stream().map(lane -> lane.figures().waiting()));
        return (waiting.exact() ? "" : "about ") + waiting.number();
    }

    private static void paused(Examination of, Instant now, RouteStatus route, Instant since) {
        if (since.isBefore(now.minus(of.limits().paused()))) {
            of.found(
                    "paused",
                    false,
                    "route " + route.name() + " is paused since " + since,
                    "Events wait for it and nothing is pruned. posthorn routes resume " + route.name()
                            + ", or retire it.");
        }
    }

    private static List<String> unroutable(Examination of) {
        List<String> kinds = new Looks(of.database(), of.schema())
                .query("doctor_unroutable", bind -> bind.value(NEWEST_OF_A_LANE), row -> row.getString("kind"));
        if (!kinds.isEmpty()) {
            of.found(
                    "unroutable",
                    false,
                    "no route wants " + String.join(", ", kinds),
                    "Such events are emitted and never published. Widen the filter of a route, or create one: posthorn"
                            + " routes create NAME --type TYPE --start beginning; or emit them no more.");
        }
        return kinds;
    }

    /** Of the kinds that some route wants, or where there is none. */
    private static void unrouted(Examination of, PostgresInspection inspection, List<String> unroutable) {
        List<String> kinds = inspection.unrouted().stream()
                .filter(one -> !unroutable.contains(one.kind()))
                .map(one -> one.kind() + " (" + one.events() + " or more)")
                .toList();
        if (!kinds.isEmpty()) {
            of.found(
                    "unrouted",
                    false,
                    "events lie on no route: " + String.join(", ", kinds),
                    "They were emitted before every route that wants them began, so they are never published. Start a replay of"
                            + " them into a route: posthorn replay start --help; or create a route that starts at the beginning:"
                            + " posthorn routes create NAME --start beginning.");
        }
    }

    private static void blockedKeys(Examination of, Instant now, PostgresInspection inspection) {
        inspection.blockedKeys(MOST_KEYS).stream()
                .filter(key -> key.since().isBefore(now.minus(of.limits().blocked())))
                .forEach(key -> of.found(
                        "blocked",
                        false,
                        "route " + key.route() + ", key " + key.key()
                                + (key.held() ? " is held since " : " is blocked since ")
                                + key.since()
                                + key.setback()
                                        .lastError()
                                        .map(error -> ": " + error)
                                        .orElse(""),
                        key.held()
                                ? "It waits for a decision: posthorn keys show " + key.key()
                                        + ", then posthorn dead redrive or posthorn dead discard."
                                : "Its events wait for the first of them, which is tried again by itself. posthorn keys show "
                                        + key.key() + " tells why; mend the cause."));
    }

    private static void deadLetters(Examination of, PostgresInspection inspection) {
        inspection.offWay().stream()
                .filter(route -> route.dead() > 0)
                .forEach(route -> of.found(
                        "dead",
                        false,
                        "route " + route.route() + " has " + route.dead() + " dead letters",
                        "They are not tried again by themselves. posthorn dead list --route " + route.route()
                                + " tells why; then posthorn dead redrive --route " + route.route()
                                + " --all, or discard."));
    }
}
