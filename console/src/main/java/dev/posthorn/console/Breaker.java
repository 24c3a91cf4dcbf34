package dev.posthorn.console;

import dev.posthorn.operations.Health;
import dev.posthorn.postgres.PostgresInspection.LiveRelay;
import dev.posthorn.relay.RelayStatus.Obstacle;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether the destination of a route is there, by the word of its relays in whatever process: those of others tell every few
 * seconds.
 *
 * @param open whether one of them finds it away
 * @param outage what stands in the way, in the words of one of them
 */
record Breaker(boolean open, Optional<String> outage) {

    /** As they last reported; empty if none is alive to tell. */
    static Optional<Breaker> reported(String route, List<LiveRelay> relays) {
        return relays.stream()
                .filter(relay -> relay.route().equals(route) && relay.isAlive())
                .map(relay -> new Breaker(
                        relay.work().obstacle().filter(Breaker::isAway).isPresent(),
                        relay.work().outage()))
                .reduce(Breaker::or);
    }

    /** The same, and those of this process are asked as well. */
    static Optional<Breaker> of(String route, Standing standing, Health.Report health) {
        return Stream.concat(
                        health.routes().stream()
                                .filter(one -> one.route().equals(route))
                                .map(one -> new Breaker(
                                        isAway(one.status().obstacle()),
                                        one.status().outage())),
                        reported(route, standing.relays()).stream())
                .reduce(Breaker::or);
    }

    String word() {
        return open ? "open" : "closed";
    }

    private Breaker or(Breaker other) {
        return open || !other.open
                ? new Breaker(open, outage.or(other::outage))
                : new Breaker(true, other.outage.or(this::outage));
    }

    private static boolean isAway(Obstacle obstacle) {
        return obstacle == Obstacle.DESTINATION;
    }
}
