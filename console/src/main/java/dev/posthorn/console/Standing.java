package dev.posthorn.console;

import dev.posthorn.postgres.PostgresFigures.ConsumerFigures;
import dev.posthorn.postgres.PostgresFigures.Count;
import dev.posthorn.postgres.PostgresFigures.DeadFigures;
import dev.posthorn.postgres.PostgresFigures.LagFigures;
import dev.posthorn.postgres.PostgresFigures.OffWayFigures;
import dev.posthorn.postgres.PostgresFigures.ReplayFigures;
import dev.posthorn.postgres.PostgresFigures.RouteFigures;
import dev.posthorn.postgres.PostgresInspection.LiveRelay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How everything stood at one look.
 *
 * @param trouble why there was no look, if so
 */
record Standing(
        Instant at,
        Optional<String> trouble,
        List<RouteFigures> routes,
        List<OffWayFigures> offWay,
        List<DeadFigures> dead,
        List<ConsumerFigures> consumers,
        Rest rest) {

    /**
     * What else was seen.
     *
     * @param relays those of other processes too
     * @param lastSeq the end of the log
     * @param xminAge transactions begun since the oldest that is open
     */
    record Rest(
            List<ReplayFigures> replays,
            List<LiveRelay> relays,
            Optional<LagFigures> lag,
            long lastSeq,
            long xminAge) {}

    /** The database did not answer. */
    static Standing unknown(Instant at, String why) {
        return new Standing(
                at,
                Optional.of(why),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                new Rest(List.of(), List.of(), Optional.empty(), 0, 0));
    }

    Optional<OffWayFigures> offWayOf(String route) {
        return offWay.stream().filter(one -> one.route().equals(route)).findFirst();
    }

    /** Events that are not published and not dead. */
    Count waitingOn(RouteFigures route) {
        return sum(Stream.concat(
                Stream.of(route.waiting()),
                offWayOf(route.route()).stream().flatMap(one -> Stream.of(one.parked(), one.again()))));
    }

    Count waiting() {
        return sum(routes.stream().map(this::waitingOn));
    }

    /** The age of the oldest of them. */
    Duration oldestOn(RouteFigures route) {
        Duration parked = offWayOf(route.route()).map(OffWayFigures::parkedFor).orElse(Duration.ZERO);
        return parked.compareTo(route.lag()) > 0 ? parked : route.lag();
    }

    Duration oldest() {
        return routes.stream().map(this::oldestOn).max(Duration::compareTo).orElse(Duration.ZERO);
    }

    long deadOn(String station, String name) {
        return dead.stream()
                .filter(one -> one.station().equals(station) && one.name().equals(name))
                .mapToLong(one -> one.letters().number())
                .sum();
    }

    long allDead() {
        return dead.stream().mapToLong(one -> one.letters().number()).sum();
    }

    long blockedKeys() {
        return offWay.stream().mapToLong(one -> one.blockedKeys().number()).sum();
    }

    Duration consumerLag() {
        return consumers.stream()
                .map(ConsumerFigures::lag)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    private static Count sum(Stream<Count> counts) {
        List<Count> all = counts.toList();
        return new Count(
                all.stream().mapToLong(Count::number).sum(), all.stream().allMatch(Count::exact));
    }
}
