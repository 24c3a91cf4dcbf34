package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A destination with a distance: takes any number of events at once, in their order, and answers each after a fixed
 * time.
 */
final class LatePublisher implements Publisher {

    private final Consumer<Event> sink;
    private final Duration answer;
    private final int longestRun;
    private final ScheduledThreadPoolExecutor timer;

    LatePublisher(Consumer<Event> sink, Duration answer, int longestRun) {
        this.sink = sink;
        this.answer = answer;
        this.longestRun = longestRun;
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "bench-answers");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        publications.forEach(publication -> sink.accept(publication.event()));
        answerLater(List.copyOf(publications));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // settling does not fail
    private void answerLater(List<? extends Publication> publications) {
        try {
            timer.schedule(() -> settle(publications, Outcome.accepted()), answer.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            settle(publications, Outcome.unavailable("The publisher is closed."));
        }
    }

    private static void settle(List<? extends Publication> publications, Outcome outcome) {
        publications.forEach(publication -> publication.settle(outcome));
    }

    @Override
    public int longestRun() {
        return longestRun;
    }

    /** What is under way is answered at its time. */
    @Override
    public void close() {
        timer.shutdown();
    }
}
