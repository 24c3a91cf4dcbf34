package dev.posthorn.operations;

import dev.posthorn.relay.RelayStatus;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says whether a process with relays is alive, of use, and complete.
 *
 * <p>Live: the loops of every relay tick. Only a restart mends what is not. Ready: the database answers, its schema is the
 * right one, and no lane stands still. Degraded: something outside is not there, such as a broker, or a route is paused;
 * relays go on by themselves when it is back, so it is no reason for a restart. Thread-safe.
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

    /** What was found just now. */
    public void looked(Look look) {
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
        }
        look.trouble().ifPresent(unready::add);
        for (RouteHealth route : routes) {
            Duration standing = look.standing().getOrDefault(route.route(), Duration.ZERO);
            boolean free = route.status().obstacle() == RelayStatus.Obstacle.NONE;
            if (free && standing.compareTo(limits.standstill()) > 0) {
                unready.add("a lane of route " + route.route() + " has not moved for " + standing.toSeconds()
                        + " s, and events wait in it");
            }
        }
        limits.consumerLag()
                .ifPresent(limit -> look.consumerLag().forEach((consumer, lag) -> {
                    if (lag.compareTo(limit) > 0) {
                        degraded.add("consumer " + consumer + " is " + lag.toSeconds() + " s behind");
                    }
                }));
    }
}
