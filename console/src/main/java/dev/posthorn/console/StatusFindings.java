package dev.posthorn.console;

import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresDestinations;
import dev.posthorn.postgres.PostgresDestinations.Destination;
import dev.posthorn.postgres.PostgresFigures;
import dev.posthorn.postgres.PostgresFigures.Count;
import dev.posthorn.postgres.PostgresFigures.RouteFigures;
import dev.posthorn.postgres.PostgresInspection;
import dev.posthorn.postgres.PostgresInspection.BlockedKey;
import dev.posthorn.postgres.PostgresInspection.Lag;
import dev.posthorn.postgres.PostgresInspection.LaneStatus;
import dev.posthorn.postgres.PostgresInspection.LiveRelay;
import dev.posthorn.postgres.PostgresInspection.OffWay;
import dev.posthorn.postgres.PostgresInspection.Unrouted;
import dev.posthorn.postgres.PostgresRebase;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.postgres.PostgresRoutes.RouteStatus;
import dev.posthorn.postgres.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** How all routes stand, of about one moment. */
public record StatusFindings(
        List<OffWay> routes,
        List<LaneStatus> lanes,
        List<LiveRelay> relays,
        List<BlockedKey> blocked,
        List<RouteStatus> settings,
        Pace pace,
        LogFindings log) {

    private static final int MOST_KEYS = 20;

    /** How much waits on the routes that are not retired, and how long events took lately. */
    public record Pace(List<RouteFigures> routes, List<Lag> lags) {}

    /**
     * Findings about the log as a whole.
     *
     * @param restored whether it was restored from a dump and needs a rebase before anything is published
     * @param unrouted kinds of event that lie on no route
     * @param destinations what routes were connected to
     * @param notes what is worth knowing and no trouble, a sentence each
     */
    public record LogFindings(
            boolean restored, List<Unrouted> unrouted, List<Destination> destinations, List<String> notes) {}

    public static StatusFindings look(DataSource database, Schema schema) {
        PostgresInspection inspection = new PostgresInspection(database, schema);
        return new StatusFindings(
                inspection.offWay(),
                inspection.lanes(),
                inspection.relays(),
                inspection.blockedKeys(MOST_KEYS),
                new PostgresRoutes(database, schema).list(),
                new Pace(new PostgresFigures(database, schema).routes(), inspection.lags()),
                new LogFindings(
                        new PostgresRebase(database, schema).needs().any(),
                        inspection.unrouted(),
                        new PostgresDestinations(database, schema).list(),
                        new Migrations(schema).note(database).stream().toList()));
    }

    /** When it was paused or retired. */
    Optional<RouteStatus> settingsOf(String route) {
        return settings.stream().filter(one -> one.name().equals(route)).findFirst();
    }

    /** What is wrong with where it publishes, a sentence each. */
    List<String> warningsOf(String route) {
        List<String> warnings = new ArrayList<>();
        for (Destination one : log.destinations()) {
            if (one.routes().contains(route)) {
                String what = one.kind() + " " + one.name();
                one.missingSince()
                        .ifPresent(since -> warnings.add("the " + what + " is missing since " + since
                                + "; to let it be created: posthorn destinations create " + one.name()));
                one.unheardSince()
                        .ifPresent(since -> warnings.add("nobody subscribes to the " + what + " since " + since));
            }
        }
        return warnings;
    }

    List<LaneStatus> lanesOf(String route) {
        return lanes.stream().filter(lane -> lane.route().equals(route)).toList();
    }

    List<LiveRelay> relaysOf(String route) {
        return relays.stream().filter(relay -> relay.route().equals(route)).toList();
    }

    List<BlockedKey> blockedOf(String route) {
        return blocked.stream().filter(key -> key.route().equals(route)).toList();
    }

    /** Nothing waits for a route that is retired. */
    Count waiting(String route) {
        return Count.sum(lanesOf(route).stream().map(lane -> lane.figures().waiting()));
    }

    Optional<Instant> waitingSince(String route) {
        return lanesOf(route).stream()
                .flatMap(lane -> lane.figures().oldestSince().stream())
                .min(Instant::compareTo);
    }

    /** Nothing of a route that is retired is scheduled any more. */
    Count scheduled(String route) {
        return pace.routes().stream()
                .filter(one -> one.route().equals(route))
                .findFirst()
                .map(RouteFigures::scheduled)
                .orElse(new Count(0, true));
    }

    Optional<Lag> lagOf(String route) {
        return pace.lags().stream().filter(lag -> lag.route().equals(route)).findFirst();
    }

    /** By the last word of those that are alive. */
    double publishedPerSecond(String route) {
        return alive(route).mapToDouble(relay -> relay.work().perSecond()).sum();
    }

    /** Whether a relay finds the destination away; empty if none is alive to tell. */
    Optional<Boolean> isBreakerOpen(String route) {
        return Breaker.reported(route, relays).map(Breaker::open);
    }

    /** What stands in the way, in the words of one relay. */
    Optional<String> outage(String route) {
        return Breaker.reported(route, relays).flatMap(Breaker::outage);
    }

    private Stream<LiveRelay> alive(String route) {
        return relaysOf(route).stream().filter(LiveRelay::isAlive);
    }

    long held(String route) {
        return lanesOf(route).stream().filter(lane -> lane.owner().isPresent()).count();
    }
}
