package dev.posthorn.operations;

import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresFigures;
import dev.posthorn.postgres.PostgresFigures.ConsumerFigures;
import dev.posthorn.postgres.PostgresFigures.DeadFigures;
import dev.posthorn.postgres.PostgresFigures.ReplayFigures;
import dev.posthorn.postgres.PostgresFigures.RouteFigures;
import dev.posthorn.postgres.PostgresFigures.ServerFigures;
import dev.posthorn.transport.FailureLog;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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

    private static final String ROUTE = "route";
    private static final String CONSUMER = "consumer";

    private final PostgresFigures figures;
    private final Supplier<Optional<String>> schemaTrouble;
    private final Board board;
    private final Health health;
    private final UnaryOperator<String> mask;
    private final FailureLog failures = new FailureLog(LOG, "Reading figures", "");
    private final OpenTransaction openTransaction = new OpenTransaction();
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
        board.ask();
        health.looking();
        try {
            List<RouteFigures> routes = figures.routes();
            Optional<List<ConsumerFigures>> consumers = ifAllowed("consumers", figures::consumers);
            board.show(samples(routes, consumers.orElse(List.of())));
            health.looked(
                    new Look(clock.instant(), schemaTrouble.get(), standing(routes), lag(consumers.orElse(List.of()))));
            failures.recovered();
        } catch (PosthornException unreachable) {
            failures.failed(mask.apply(String.valueOf(unreachable.getMessage())));
            board.lose();
            health.looked(Look.failed(clock.instant(), mask.apply(String.valueOf(unreachable.getMessage()))));
        }
    }

    /** A role that was given its rights by an older version may not see everything; the rest is shown all the same. */
    private <T> Optional<List<T>> ifAllowed(String what, Supplier<List<T>> look) {
        Optional<List<T>> seen = PostgresFigures.ifAllowed(look);
        if (seen.isEmpty() && told.add(what)) {
            LOG.warn("Metrics show nothing of {}: this login may not read them. Run: posthorn schema migrate", what);
        }
        return seen;
    }

    private List<Sample> samples(List<RouteFigures> routes, List<ConsumerFigures> consumers) {
        List<Sample> samples = new ArrayList<>();
        routes.forEach(route -> route(samples, route));
        consumers.forEach(consumer -> consumer(samples, consumer));
        handling(samples, consumers);
        ifAllowed("dead letters", figures::dead).ifPresent(dead -> dead(samples, dead, routes, consumers));
        ifAllowed("replays", figures::replays).ifPresent(replays -> replays.forEach(replay -> replay(samples, replay)));
        ServerFigures server = figures.server();
        samples.add(Metric.XMIN_AGE.of(server.xminAge()));
        samples.add(Metric.XMIN_HELD.of(seconds(openTransaction.seen(server, Instant.now()))));
        return samples;
    }

    /** Where the counting ended at its limit, nothing is known of a station that has none among those that were counted. */
    private static void dead(
            List<Sample> samples, List<DeadFigures> dead, List<RouteFigures> routes, List<ConsumerFigures> consumers) {
        Set<String> named = new HashSet<>();
        for (DeadFigures one : dead) {
            named.add(one.station() + " " + one.name());
            samples.add(Metric.DEAD_LETTERS.of(one.letters().number(), one.station(), one.name()));
            if (one.station().equals(ROUTE)) {
                samples.add(Metric.MAX_ATTEMPTS.of(one.spent(), one.name()));
            }
        }
        if (PostgresFigures.isCounted(dead, ROUTE)) {
            routes.stream()
                    .map(RouteFigures::route)
                    .filter(name -> named.add(ROUTE + " " + name))
                    .forEach(name -> {
                        samples.add(Metric.DEAD_LETTERS.of(0, ROUTE, name));
                        samples.add(Metric.MAX_ATTEMPTS.of(0, name));
                    });
        }
        if (PostgresFigures.isCounted(dead, CONSUMER)) {
            consumers.stream()
                    .map(ConsumerFigures::consumer)
                    .filter(name -> named.add(CONSUMER + " " + name))
                    .forEach(name -> samples.add(Metric.DEAD_LETTERS.of(0, CONSUMER, name)));
        }
    }

    private static void route(List<Sample> samples, RouteFigures route) {
        String name = route.route();
        samples.add(Metric.BACKLOG.of(route.waiting().number(), name));
        samples.add(Metric.BACKLOG_ESTIMATED.of(route.waiting().exact() ? 0 : 1, name));
        samples.add(Metric.PUBLISH_LAG.of(seconds(route.lag()), name));
        samples.add(Metric.OLDEST_UNPUBLISHED.of(seconds(route.oldest()), name));
        samples.add(Metric.CHECKPOINT_AGE.of(seconds(route.standing()), name));
        samples.add(Metric.SCHEDULED.of(route.scheduled().number(), name));
        samples.add(Metric.PAUSED.of(route.paused() ? 1 : 0, name));
        samples.add(Metric.LANES.of(route.lanes().size(), name));
        samples.add(Metric.LANES_HELD.of(route.held(), name));
        samples.add(Metric.LANE_CHANGES.of(route.changes(), name));
        samples.add(Metric.BLOCKED_KEYS.of(route.blockedKeys().number(), name));
        samples.add(Metric.HELD_KEYS.of(route.heldKeys(), name));
    }

    private static void consumer(List<Sample> samples, ConsumerFigures consumer) {
        String name = consumer.consumer();
        samples.add(Metric.CONSUMER_LAG.of(seconds(consumer.lag()), name));
        samples.add(Metric.CONSUMER_MEMBERS.of(consumer.members(), name));
        samples.add(Metric.CONSUMER_SILENT.of(consumer.silent(), name));
        samples.add(Metric.INBOX_HANDLED.of(consumer.handled(), name));
        samples.add(Metric.INBOX_DUPLICATES.of(consumer.duplicates(), name));
    }

    private void handling(List<Sample> samples, List<ConsumerFigures> consumers) {
        ifAllowed("events that were handed over", figures::handovers).ifPresent(handovers -> {
            Map<String, Long> waiting = new HashMap<>();
            consumers.forEach(consumer -> waiting.put(consumer.consumer(), 0L));
            handovers.forEach(one -> waiting.put(one.consumer(), one.waiting()));
            waiting.forEach((consumer, events) -> samples.add(Metric.HANDED_OVER_WAITING.of(events, consumer)));
        });
        ifAllowed("unhandled events", figures::unhandled)
                .ifPresent(types -> types.forEach(
                        one -> samples.add(Metric.UNHANDLED.of(one.events(), one.consumer(), one.type()))));
    }

    private static void replay(List<Sample> samples, ReplayFigures replay) {
        samples.add(Metric.REPLAYS_RUNNING.of(replay.running(), replay.kind(), replay.target()));
        samples.add(Metric.REPLAYS_FAILED.of(replay.failed(), replay.kind(), replay.target()));
        samples.add(Metric.REPLAY_DONE.of(replay.done(), replay.kind(), replay.target()));
        samples.add(Metric.REPLAY_REMAINING.of(replay.remaining(), replay.kind(), replay.target()));
    }

    /** Nothing is expected to move on a route that is paused. */
    private static Map<String, Map<Integer, Duration>> standing(List<RouteFigures> routes) {
        Map<String, Map<Integer, Duration>> standing = new HashMap<>();
        routes.stream().filter(route -> !route.paused()).forEach(route -> {
            Map<Integer, Duration> lanes = new HashMap<>();
            route.lanes().forEach(lane -> lanes.put(lane.lane(), lane.standing()));
            standing.put(route.route(), lanes);
        });
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
