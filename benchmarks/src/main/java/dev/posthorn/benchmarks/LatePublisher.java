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

/** A destination with a distance: takes any number of events at once and answers each after a fixed time. */
final class LatePublisher implements Publisher {

    private final Consumer<Event> sink;
    private final Duration answer;
    private final ScheduledThreadPoolExecutor timer;

    LatePublisher(Consumer<Event> sink, Duration answer) {
        this.sink = sink;
        this.answer = answer;
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "bench-answers");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        for (Publication publication : publications) {
            sink.accept(publication.event());
            answerLater(publication);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // settling does not fail
    private void answerLater(Publication publication) {
        try {
            timer.schedule(() -> publication.settle(Outcome.accepted()), answer.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            publication.settle(Outcome.unavailable("The publisher is closed."));
        }
    }

    /** What is under way is answered at its time. */
    @Override
    public void close() {
        timer.shutdown();
    }
}
