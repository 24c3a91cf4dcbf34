package dev.posthorn.operations;

import dev.posthorn.relay.RelayStatus;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says whether a process with relays is alive, of use, and complete.
 *
 * <p>Live: the loops of every relay tick. Only a restart fixes one that does not. Ready: the database answers, its schema is the
 * right one, and every lane that this process holds moves. Degraded: something outside is not there, such as a broker, or a route is
 * paused, or lanes of another process stand still; relays go on by themselves when it is back, so it is no reason for a restart, and
 * none to hold a rollout up. Thread-safe.
 */
public final class Health {

    /**
     * From when on something is told.
     *
     * @param overdue how late a relay's loops may be
     * @param blindness how old the last look at the database may be
     * @param standstill how long events may wait in a lane that does not move
     * @param consumerLag how far a consumer may be behind; empty: any time
     */
    public record Limits(Duration overdue, Duration blindness, Duration standstill, Optional<Duration> consumerLag) {}

    /**
     * How the relay of one route is.
     *
     * @param lastTick until when all of its loops did what was due
     */
    public record RouteHealth(String route, RelayStatus status, Instant lastTick, Pulse pulse) {

        /** Whether the destination is there, as far as is known. */
        public boolean isConnected() {
            return status.obstacle() != RelayStatus.Obstacle.DESTINATION;
        }
    }

    /** The answer, with what is wrong in words. */
    public record Report(
            boolean live, boolean ready, boolean degraded, List<String> findings, List<RouteHealth> routes) {

        /** In one word. */
        public String word() {
            if (!live) {
                return "dead";
            }
            return !ready ? "unready" : degraded ? "degraded" : "ok";
        }
    }

    private record Member(String route, Supplier<RelayStatus> status, Supplier<Duration> overdue, Pulse pulse) {}

    private final Clock clock;
    private final Limits limits;
    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final List<Supplier<List<String>>> warnings = new CopyOnWriteArrayList<>();
    private volatile @Nullable Instant asked;
    private volatile @Nullable Look last;

    public Health(Clock clock, Limits limits) {
        this.clock = clock;
        this.limits = limits;
    }

    /** Of a relay: what it tells of itself, how late its loops are, and what its ports saw. */
    public void watch(String route, Supplier<RelayStatus> status, Supplier<Duration> overdue, Pulse pulse) {
        members.add(new Member(route, status, overdue, pulse));
    }

    /** Sentences that are told with the findings and change nothing else. */
    public void warn(Supplier<List<String>> sentences) {
        warnings.add(sentences);
    }

    /** A look at the database begins. */
    public void looking() {
        asked = clock.instant();
    }

    /** What was found just now. */
    public void looked(Look look) {
        asked = null;
        last = look;
    }

    public Report report() {
        Instant now = clock.instant();
        List<RouteHealth> routes = members.stream()
                .map(member -> new RouteHealth(
                        member.route(),
                        member.status().get(),
                        now.minus(member.overdue().get()),
                        member.pulse()))
                .toList();
        List<String> dead = new ArrayList<>();
        List<String> unready = new ArrayList<>();
        List<String> degraded = new ArrayList<>();
        for (RouteHealth route : routes) {
            Duration late = Duration.between(route.lastTick(), now);
            if (late.compareTo(limits.overdue()) > 0) {
                dead.add("the relay of route " + route.route() + " stands still for " + late.toSeconds() + " s");
            }
            route.status()
                    .outage()
                    .ifPresent(why -> degraded.add("route " + route.route()
                            + (route.status().obstacle() == RelayStatus.Obstacle.MEMORY
                                    ? " is slow: "
                                    : " publishes nothing: ")
                            + why));
        }
        look(now, routes, unready, degraded);
        List<String> findings = new ArrayList<>(dead);
        findings.addAll(unready);
        findings.addAll(degraded);
        warnings.forEach(sentences -> findings.addAll(sentences.get()));
        return new Report(
                dead.isEmpty(),
                dead.isEmpty() && unready.isEmpty(),
                !degraded.isEmpty(),
                List.copyOf(findings),
                routes);
    }

    private void look(Instant now, List<RouteHealth> routes, List<String> unready, List<String> degraded) {
        Look look = last;
        if (look == null) {
            unready.add("the database has not been looked at yet");
            return;
        }
        Duration age = Duration.between(look.at(), now);
        if (age.compareTo(limits.blindness()) > 0) {
            unready.add("the database was looked at " + age.toSeconds() + " s ago");
        } else if (Look.isOverdue(asked, now)) {
            degraded.add("the database has not answered for " + age.toSeconds() + " s");
        }
        look.trouble().ifPresent(unready::add);
        routes.forEach(route -> lanes(route, look, unready, degraded));
        limits.consumerLag()
                .ifPresent(limit -> look.consumerLag().forEach((consumer, lag) -> {
                    if (lag.compareTo(limit) > 0) {
                        degraded.add("consumer " + consumer + " is " + lag.toSeconds() + " s behind");
                    }
                }));
    }

    /** A lane that another process holds, or none, is no reason to keep this one from its work. */
    private void lanes(RouteHealth route, Look look, List<String> unready, List<String> degraded) {
        Map<Integer, Duration> still = new TreeMap<>(look.standing().getOrDefault(route.route(), Map.of()));
        still.values().removeIf(standing -> standing.compareTo(limits.standstill()) <= 0);
        Map<Integer, Duration> own = new TreeMap<>(still);
        own.keySet().retainAll(route.status().lanes());
        still.keySet().removeAll(own.keySet());
        if (!own.isEmpty() && route.status().obstacle() == RelayStatus.Obstacle.NONE) {
            unready.add(standing(route.route(), own) + ", and events wait in them");
        }
        if (!still.isEmpty()) {
            degraded.add(standing(route.route(), still) + " with another process or none, and events wait in them");
        }
    }

    private static String standing(String route, Map<Integer, Duration> lanes) {
        long longest =
                lanes.values().stream().mapToLong(Duration::toSeconds).max().orElse(0);
        return "lanes " + lanes.keySet() + " of route " + route + " have not moved for " + longest + " s";
    }
}
