package dev.posthorn.operations;

import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresFigures;
import dev.posthorn.postgres.PostgresFigures.ConsumerFigures;
import dev.posthorn.postgres.PostgresFigures.DeadFigures;
import dev.posthorn.postgres.PostgresFigures.OffWayFigures;
import dev.posthorn.postgres.PostgresFigures.ReplayFigures;
import dev.posthorn.postgres.PostgresFigures.RouteFigures;
import dev.posthorn.transport.FailureLog;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the database for metrics and health. A scrape then costs it nothing, and is answered also while it is away. */
public final class FigureStep {

    private static final Logger LOG = LoggerFactory.getLogger(FigureStep.class);

    private final PostgresFigures figures;
    private final Supplier<Optional<String>> schemaTrouble;
    private final Board board;
    private final Health health;
    private final UnaryOperator<String> mask;
    private final FailureLog failures = new FailureLog(LOG, "Reading figures", "");
    /** Of what it has been said that nothing is shown. */
    private final Set<String> told = new HashSet<>();

    /** With what is wrong with the schema, if anything is, and what takes passwords out of messages. */
    public FigureStep(
            PostgresFigures figures,
            Supplier<Optional<String>> schemaTrouble,
            Board board,
            Health health,
            UnaryOperator<String> mask) {
        this.figures = figures;
        this.schemaTrouble = schemaTrouble;
        this.board = board;
        this.health = health;
        this.mask = mask;
    }

    public void runOnce() {
        Clock clock = Clock.systemUTC();
        try {
            List<RouteFigures> routes = figures.routes();
            List<ConsumerFigures> consumers = ifAllowed("consumers", figures::consumers);
            board.show(samples(routes, consumers));
            health.looked(new Look(clock.instant(), schemaTrouble.get(), standing(routes), lag(consumers)));
            failures.recovered();
        } catch (PosthornException unreachable) {
            failures.failed(mask.apply(String.valueOf(unreachable.getMessage())));
            board.show(List.of(Metric.DATABASE_UP.of(0)));
            health.looked(Look.failed(clock.instant(), mask.apply(String.valueOf(unreachable.getMessage()))));
        }
    }

    /** A role that was given its rights by an older version may not see everything; the rest is shown all the same. */
    private <T> List<T> ifAllowed(String what, Supplier<List<T>> look) {
        try {
            return look.get();
        } catch (PosthornException refused) {
            if (!PostgresFigures.isRefusal(refused)) {
                throw refused;
            }
            if (told.add(what)) {
                LOG.warn("Metrics show nothing of {}: {}", what, refused.getMessage());
            }
            return List.of();
        }
    }

    private List<Sample> samples(List<RouteFigures> routes, List<ConsumerFigures> consumers) {
        List<Sample> samples = new ArrayList<>();
        Map<String, OffWayFigures> offWay = new HashMap<>();
        ifAllowed("what is off the way", figures::offWay).forEach(one -> offWay.put(one.route(), one));
        Map<String, DeadFigures> dead = new HashMap<>();
        ifAllowed("dead letters", figures::dead).forEach(one -> dead.put(one.station() + " " + one.name(), one));
        for (RouteFigures route : routes) {
            route(samples, route);
            OffWayFigures beside = offWay.get(route.route());
            if (beside != null) {
                backlog(samples, route, beside);
            }
            DeadFigures letters = dead.get("route " + route.route());
            samples.add(Metric.DEAD_LETTERS.of(
                    letters == null ? 0 : letters.letters().number(), "route", route.route()));
            samples.add(Metric.MAX_ATTEMPTS.of(letters == null ? 0 : letters.spent(), route.route()));
        }
        for (ConsumerFigures consumer : consumers) {
            consumer(samples, consumer);
            dead.putIfAbsent(
                    "consumer " + consumer.consumer(),
                    new DeadFigures("consumer", consumer.consumer(), new PostgresFigures.Count(0, true), 0));
        }
        dead.values().stream()
                .filter(one -> one.station().equals("consumer"))
                .forEach(one -> samples.add(Metric.DEAD_LETTERS.of(one.letters().number(), "consumer", one.name())));
        ifAllowed("replays", figures::replays).forEach(replay -> replay(samples, replay));
        samples.add(Metric.XMIN_AGE.of(figures.server().xminAge()));
        samples.add(Metric.DATABASE_UP.of(1));
        return samples;
    }

    private static void route(List<Sample> samples, RouteFigures route) {
        String name = route.route();
        samples.add(Metric.PUBLISH_LAG.of(seconds(route.lag()), name));
        samples.add(Metric.CHECKPOINT_AGE.of(seconds(route.standing()), name));
        samples.add(Metric.PAUSED.of(route.paused() ? 1 : 0, name));
        samples.add(Metric.LANES.of(route.lanes().all(), name));
        samples.add(Metric.LANES_HELD.of(route.lanes().held(), name));
        samples.add(Metric.LANE_CHANGES.of(route.lanes().changes(), name));
    }

    private static void backlog(List<Sample> samples, RouteFigures route, OffWayFigures beside) {
        String name = route.route();
        boolean exact = route.waiting().exact()
                && beside.parked().exact()
                && beside.again().exact();
        long backlog = route.waiting().number()
                + beside.parked().number()
                + beside.again().number();
        samples.add(Metric.BACKLOG.of(backlog, name));
        samples.add(Metric.BACKLOG_ESTIMATED.of(exact ? 0 : 1, name));
        samples.add(Metric.OLDEST_UNPUBLISHED.of(Math.max(seconds(route.lag()), seconds(beside.parkedFor())), name));
        samples.add(Metric.BLOCKED_KEYS.of(beside.blockedKeys().number(), name));
        samples.add(Metric.HELD_KEYS.of(beside.heldKeys(), name));
    }

    private static void consumer(List<Sample> samples, ConsumerFigures consumer) {
        String name = consumer.consumer();
        samples.add(Metric.CONSUMER_LAG.of(seconds(consumer.lag()), name));
        samples.add(Metric.CONSUMER_MEMBERS.of(consumer.members(), name));
        samples.add(Metric.CONSUMER_SILENT.of(consumer.silent(), name));
        samples.add(Metric.INBOX_HANDLED.of(consumer.handled(), name));
        samples.add(Metric.INBOX_DUPLICATES.of(consumer.duplicates(), name));
    }

    private static void replay(List<Sample> samples, ReplayFigures replay) {
        samples.add(Metric.REPLAYS_RUNNING.of(replay.running(), replay.kind(), replay.target()));
        samples.add(Metric.REPLAYS_FAILED.of(replay.failed(), replay.kind(), replay.target()));
        samples.add(Metric.REPLAY_DONE.of(replay.done(), replay.kind(), replay.target()));
        samples.add(Metric.REPLAY_REMAINING.of(replay.remaining(), replay.kind(), replay.target()));
    }

    private static Map<String, Duration> standing(List<RouteFigures> routes) {
        Map<String, Duration> standing = new HashMap<>();
        routes.forEach(route -> standing.put(route.route(), route.paused() ? Duration.ZERO : route.standing()));
        return standing;
    }

    private static Map<String, Duration> lag(List<ConsumerFigures> consumers) {
        Map<String, Duration> lag = new HashMap<>();
        consumers.forEach(consumer -> lag.put(consumer.consumer(), Objects.requireNonNull(consumer.lag())));
        return lag;
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
