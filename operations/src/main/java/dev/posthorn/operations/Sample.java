package dev.posthorn.operations;

import java.util.List;

/**
 * One value of a metric.
 *
 * @param labels a value for each of its labels, in their order: names that people gave, never ids or keys
 */
public record Sample(Metric metric, List<String> labels, double value) {

    public Sample {
        labels = List.copyOf(labels);
        if (labels.size() != metric.labels().size()) {
            throw new IllegalArgumentException(
                    metric + " has " + metric.labels().size() + " labels, not " + labels.size());
        }
    }
}
