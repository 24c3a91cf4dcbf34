package dev.posthorn.benchmarks;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Waits for what a broker's client promised. */
final class Answers {

    private Answers() {}

    static void await(Future<?> answer) {
        try {
            answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("The broker's own client failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a broker", e);
        }
    }
}
