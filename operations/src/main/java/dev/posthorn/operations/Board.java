package dev.posthorn.operations;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Shows figures of the log as gauges, all of one look at once, and how old they are.
 *
 * <p>Only what is known is shown: a look that failed takes all figures away, and one that is not answered makes them NaN. What a
 * look does not have is shown no longer. Thread-safe.
 */
public final class Board {

    private final Map<Metric, MultiGauge> gauges = new EnumMap<>(Metric.class);
    private final Clock clock;
    private volatile @Nullable Instant asked;
    private volatile @Nullable Instant seen;
    private volatile boolean lost = true;

    public Board(MeterRegistry registry, Clock clock) {
        this.clock = clock;
        for (Metric metric : Metric.values()) {
            gauges.put(
                    metric,
                    MultiGauge.builder(metric.text()).description(metric.help()).register(registry));
        }
        gauge(
                registry,
                "posthorn_database_up",
                "1 if the database answered the last look of this process, in time. If not, figures of the log are absent or NaN.",
                board -> board.isFresh() ? 1 : 0);
        gauge(
                registry,
                "posthorn_figures_age_seconds",
                "Time since the database last answered a look of this process. NaN if it has not answered yet.",
                Board::age);
    }

    private void gauge(MeterRegistry registry, String name, String help, ToDoubleFunction<Board> value) {
        Gauge.builder(name, this, value).description(help).strongReference(true).register(registry);
    }

    /** A look begins. */
    public void ask() {
        asked = clock.instant();
    }

    /** Shows what a look found. */
    public synchronized void show(List<Sample> samples) {
        asked = null;
        seen = clock.instant();
        lost = false;
        register(samples);
    }

    /** The database did not answer, so nothing is known. */
    public synchronized void lose() {
        asked = null;
        lost = true;
        register(List.of());
    }

    private void register(List<Sample> samples) {
        Map<Metric, List<MultiGauge.Row<?>>> rows = new EnumMap<>(Metric.class);
        for (Sample sample : samples) {
            rows.computeIfAbsent(sample.metric(), metric -> new ArrayList<>())
                    .add(MultiGauge.Row.of(tags(sample), () -> isFresh() ? sample.value() : Double.NaN));
        }
        gauges.forEach((metric, gauge) -> gauge.register(rows.getOrDefault(metric, List.of()), true));
    }

    private boolean isFresh() {
        return !lost && !Look.isOverdue(asked, clock.instant());
    }

    private double age() {
        Instant last = seen;
        return last == null
                ? Double.NaN
                : Duration.between(last, clock.instant()).toNanos() / 1e9;
    }

    private static Tags tags(Sample sample) {
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < sample.labels().size(); i++) {
            tags.add(Tag.of(sample.metric().labels().get(i), sample.labels().get(i)));
        }
        return Tags.of(tags);
    }
}
