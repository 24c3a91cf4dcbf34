package dev.posthorn.benchmarks;

import java.util.List;

/** The same figure, measured several times. */
record Samples(List<Double> values) {

    Samples {
        values = values.stream().sorted().toList();
    }

    double median() {
        int size = values.size();
        return (values.get((size - 1) / 2) + values.get(size / 2)) / 2;
    }

    double least() {
        return values.get(0);
    }

    double most() {
        return values.get(values.size() - 1);
    }
}
