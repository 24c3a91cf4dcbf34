package dev.posthorn.spring;

import dev.posthorn.event.PosthornException;
import dev.posthorn.operations.Board;
import dev.posthorn.operations.Health;
import dev.posthorn.operations.Look;
import dev.posthorn.operations.Metric;
import dev.posthorn.operations.Sample;
import dev.posthorn.postgres.InvalidSchemaException;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresFigures;
import dev.posthorn.postgres.PostgresFigures.ConsumerFigures;
import dev.posthorn.postgres.PostgresFigures.OffWayFigures;
import dev.posthorn.postgres.PostgresFigures.RouteFigures;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks at the database for metrics and health, so that whoever asks for them waits for no database. */
final class FigureStep {

    private final LogPlace place;
    private final PostgresFigures figures;
    private final Board board;
    private final Health health;
    private final Clock clock = Clock.systemUTC();

    FigureStep(LogPlace place, Board board, Health health) {
        this.place = place;
        this.figures = new PostgresFigures(place.database(), place.schema());
        this.board = board;
        this.health = health;
    }

    void runOnce() {
        try {
            List<RouteFigures> routes = figures.routes();
            List<ConsumerFigures> consumers = figures.consumers();
            board.show(samples(routes, consumers));
            health.looked(new Look(clock.instant(), schemaTrouble(), standing(routes), lag(consumers)));
        } catch (PosthornException unreachable) {
            board.show(List.of(Metric.DATABASE_UP.of(0)));
            health.looked(Look.failed(clock.instant(), String.valueOf(unreachable.getMessage())));
        }
    }

    private Optional<String> schemaTrouble() {
        try {
            new Migrations(place.schema()).validate(place.database());
            return Optional.empty();
        } catch (InvalidSchemaException invalid) {
            return Optional.of(String.valueOf(invalid.getMessage()));
        }
    }

    private List<Sample> samples(List<RouteFigures> routes, List<ConsumerFigures> consumers) {
        List<Sample> samples = new ArrayList<>();
        Map<String, OffWayFigures> offWay = new HashMap<>();
        figures.offWay().forEach(one -> offWay.put(one.route(), one));
        routes.forEach(route -> route(samples, route, offWay.get(route.route())));
        figures.dead()
                .forEach(dead ->
                        samples.add(Metric.DEAD_LETTERS.of(dead.letters().number(), dead.station(), dead.name())));
        for (ConsumerFigures consumer : consumers) {
            samples.add(Metric.CONSUMER_LAG.of(seconds(consumer.lag()), consumer.consumer()));
            samples.add(Metric.CONSUMER_MEMBERS.of(consumer.members(), consumer.consumer()));
            samples.add(Metric.CONSUMER_SILENT.of(consumer.silent(), consumer.consumer()));
            samples.add(Metric.INBOX_HANDLED.of(consumer.handled(), consumer.consumer()));
            samples.add(Metric.INBOX_DUPLICATES.of(consumer.duplicates(), consumer.consumer()));
        }
        samples.add(Metric.XMIN_AGE.of(figures.server().xminAge()));
        samples.add(Metric.DATABASE_UP.of(1));
        return samples;
    }

    private static void route(List<Sample> samples, RouteFigures route, @Nullable OffWayFigures beside) {
        String name = route.route();
        samples.add(Metric.PUBLISH_LAG.of(seconds(route.lag()), name));
        samples.add(Metric.CHECKPOINT_AGE.of(seconds(route.standing()), name));
        samples.add(Metric.PAUSED.of(route.paused() ? 1 : 0, name));
        samples.add(Metric.LANES.of(route.lanes().all(), name));
        samples.add(Metric.LANES_HELD.of(route.lanes().held(), name));
        samples.add(Metric.LANE_CHANGES.of(route.lanes().changes(), name));
        if (beside != null) {
            samples.add(Metric.BACKLOG.of(
                    route.waiting().number()
                            + beside.parked().number()
                            + beside.again().number(),
                    name));
            samples.add(
                    Metric.OLDEST_UNPUBLISHED.of(Math.max(seconds(route.lag()), seconds(beside.parkedFor())), name));
            samples.add(Metric.BLOCKED_KEYS.of(beside.blockedKeys().number(), name));
            samples.add(Metric.HELD_KEYS.of(beside.heldKeys(), name));
        }
    }

    private static Map<String, Duration> standing(List<RouteFigures> routes) {
        Map<String, Duration> standing = new HashMap<>();
        routes.forEach(route -> standing.put(route.route(), route.paused() ? Duration.ZERO : route.standing()));
        return standing;
    }

    private static Map<String, Duration> lag(List<ConsumerFigures> consumers) {
        Map<String, Duration> lag = new HashMap<>();
        consumers.forEach(consumer -> lag.put(consumer.consumer(), consumer.lag()));
        return lag;
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
