package dev.posthorn.console;

import dev.posthorn.postgres.PostgresFigures;
import dev.posthorn.postgres.PostgresFigures.ConsumerFigures;
import dev.posthorn.postgres.PostgresFigures.Count;
import dev.posthorn.postgres.PostgresFigures.DeadFigures;
import dev.posthorn.postgres.PostgresFigures.LagFigures;
import dev.posthorn.postgres.PostgresFigures.ReplayFigures;
import dev.posthorn.postgres.PostgresFigures.RouteFigures;
import dev.posthorn.postgres.PostgresInspection.LiveRelay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How everything stood at the last look that was answered, and what is wrong with the looks since.
 *
 * @param at when that was; empty if none was answered yet, and then nothing is known
 * @param trouble why what is known may no longer be so
 */
record Standing(Optional<Instant> at, Optional<String> trouble, List<RouteFigures> routes, Rest rest) {

    private static final String ROUTE = "route";

    /**
     * What else was seen. What this login may not see is empty, for it is not known.
     *
     * @param relays those of other processes too
     * @param log its end, and the transactions begun since the oldest that is open
     */
    record Rest(
            Optional<List<DeadFigures>> dead,
            Optional<List<ConsumerFigures>> consumers,
            Optional<List<ReplayFigures>> replays,
            Optional<List<LiveRelay>> relays,
            Optional<LagFigures> lag,
            Log log) {}

    record Log(long lastSeq, long xminAge) {}

    /** No look was answered yet. */
    static Standing unknown(String why) {
        return new Standing(
                Optional.empty(),
                Optional.of(why),
                List.of(),
                new Rest(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        new Log(0, 0)));
    }

    /** The same as far as it is known, and this is wrong. */
    Standing doubted(String why) {
        return new Standing(at, Optional.of(why), routes, rest);
    }

    boolean isKnown() {
        return at.isPresent();
    }

    List<DeadFigures> dead() {
        return rest.dead().orElse(List.of());
    }

    List<ConsumerFigures> consumers() {
        return rest.consumers().orElse(List.of());
    }

    List<LiveRelay> relays() {
        return rest.relays().orElse(List.of());
    }

    /** Events that wait on all routes. */
    Optional<Count> waiting() {
        return at.map(known -> Count.sum(routes.stream().map(RouteFigures::waiting)));
    }

    /** The age of the oldest of them. */
    Optional<Duration> oldest() {
        return at.map(known -> routes.stream()
                .map(RouteFigures::oldest)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO));
    }

    /** Open dead letters of a route. */
    Optional<Count> deadOn(String route) {
        return rest.dead()
                .map(found -> found.stream()
                        .filter(one -> one.station().equals(ROUTE) && one.name().equals(route))
                        .map(DeadFigures::letters)
                        .findFirst()
                        .orElse(new Count(0, PostgresFigures.isCounted(found, ROUTE))));
    }

    Optional<Count> allDead() {
        return rest.dead().map(found -> Count.sum(found.stream().map(DeadFigures::letters)));
    }

    Optional<Long> blockedKeys() {
        return at.map(known ->
                routes.stream().mapToLong(one -> one.blockedKeys().number()).sum());
    }

    /** Of the consumer that is furthest behind; empty if there is none. */
    Optional<Duration> consumerLag() {
        return consumers().stream().map(ConsumerFigures::lag).max(Duration::compareTo);
    }

    /** By the last word of every relay that is alive, in whatever process. */
    Optional<Double> publishedPerSecond() {
        return rest.relays()
                .map(all -> all.stream()
                        .filter(LiveRelay::isAlive)
                        .mapToDouble(relay -> relay.work().perSecond())
                        .sum());
    }
}
