package dev.posthorn.benchmarks;

import dev.posthorn.inbox.ConsumerConfig;
import java.time.Duration;

/** How events are handled, from the least to the most that is done for each transaction. */
enum ConsumeForm {
    WITHOUT("one by one, without an inbox", false, 1),
    SINGLE("one by one, with the inbox", true, 1),
    BATCH("batches of 100, with the inbox", true, 100);

    private static final Duration PATIENCE = Duration.ofMillis(5);

    final String label;
    final boolean marks;
    private final int batch;

    ConsumeForm(String label, boolean marks, int batch) {
        this.label = label;
        this.marks = marks;
        this.batch = batch;
    }

    ConsumerConfig applied(ConsumerConfig config) {
        return batch == 1 ? config : config.batch(batch, PATIENCE);
    }
}
