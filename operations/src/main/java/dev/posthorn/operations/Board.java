package dev.posthorn.operations;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Shows figures of the log as gauges, all of one look at once. What a look does not have is shown no longer. Thread-safe. */
public final class Board {

    private final Map<Metric, MultiGauge> gauges = new EnumMap<>(Metric.class);

    public Board(MeterRegistry registry) {
        for (Metric metric : Metric.values()) {
            gauges.put(
                    metric,
                    MultiGauge.builder(metric.text()).description(metric.help()).register(registry));
        }
    }

    public synchronized void show(List<Sample> samples) {
        Map<Metric, List<MultiGauge.Row<?>>> rows = new EnumMap<>(Metric.class);
        for (Sample sample : samples) {
            rows.computeIfAbsent(sample.metric(), metric -> new ArrayList<>())
                    .add(MultiGauge.Row.of(tags(sample), sample.value()));
        }
        gauges.forEach((metric, gauge) -> gauge.register(rows.getOrDefault(metric, List.of()), true));
    }

    private static Tags tags(Sample sample) {
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < sample.labels().size(); i++) {
            tags.add(Tag.of(sample.metric().labels().get(i), sample.labels().get(i)));
        }
        return Tags.of(tags);
    }
}
