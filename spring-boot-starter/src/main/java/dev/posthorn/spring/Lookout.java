package dev.posthorn.spring;

import dev.posthorn.operations.Board;
import dev.posthorn.operations.FigureStep;
import dev.posthorn.operations.Health;
import dev.posthorn.operations.RelayMetrics;
import dev.posthorn.postgres.PostgresFigures;
import dev.posthorn.relay.Loop;
import dev.posthorn.relay.MemoryBudget;
import dev.posthorn.relay.Relay;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;

/** Knows how relays and the database are, for health and metrics. One thread looks at the database now and then. */
final class Lookout extends LoopPart {

    private final LogPlace place;
    private final PosthornHealthProperties properties;
    private final MeterRegistry registry;
    private final Board board;
    private volatile Health health;

    Lookout(LogPlace place, PosthornHealthProperties properties, MeterRegistry registry) {
        this.place = place;
        this.properties = properties;
        this.registry = registry;
        this.board = new Board(registry, Clock.systemUTC());
        this.health = fresh();
    }

    private Health fresh() {
        return new Health(Clock.systemUTC(), properties.limits());
    }

    Health.Report report() {
        return health.report();
    }

    RelayMetrics metricsOf(String route) {
        RelayMetrics.watch(registry, MemoryBudget.ofProcess()); // again for each route changes nothing
        return new RelayMetrics(registry, route, Clock.systemUTC());
    }

    void watch(String route, RelayMetrics metrics, Relay relay) {
        metrics.watch(relay);
        health.watch(route, relay::status, relay::overdue, metrics.pulse());
    }

    /** Sentences that are told in health and change nothing else. */
    void warn(Supplier<List<String>> sentences) {
        health.warn(sentences);
    }

    /** A meter would go on telling of a relay that has ended, also after another was started. */
    void forget(String route) {
        List<Meter> meters = registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith("posthorn_relay_")
                        || meter.getId().getName().equals("posthorn_breaker_open"))
                .filter(meter -> route.equals(meter.getId().getTag("route")))
                .toList();
        meters.forEach(registry::remove);
    }

    @Override
    Loop begin() {
        health = fresh();
        health.warn(place.watch()::notes);
        FigureStep step = new FigureStep(
                new PostgresFigures(place.database(), place.schema()),
                place.watch()::trouble,
                board,
                health,
                message -> message);
        step.runOnce(); // or the application would be out of service until the first look
        return new Loop("posthorn-figures", () -> {
                    step.runOnce();
                    return properties.figuresEvery();
                })
                .start();
    }
}
