package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A destination that takes so many events a second, in their order, and answers each when it has taken it. */
final class PacedPublisher implements Publisher {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Consumer<Event> sink;
    private final long each;
    private final ScheduledThreadPoolExecutor timer;
    private long free = System.nanoTime();

    PacedPublisher(Consumer<Event> sink, int perSecond) {
        this.sink = sink;
        this.each = SECOND / perSecond;
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "bench-answers");
            thread.setDaemon(true);
            return thread;
        });
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(true);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // settling does not fail
    public synchronized void publish(List<? extends Publication> publications) {
        for (Publication publication : publications) {
            long now = System.nanoTime();
            free = Math.max(now, free + each);
            timer.schedule(() -> answer(publication), free - now, TimeUnit.NANOSECONDS);
        }
    }

    private void answer(Publication publication) {
        sink.accept(publication.event());
        publication.settle(Outcome.accepted());
    }

    /** What is under way is answered at its time. */
    @Override
    public void close() {
        timer.shutdown();
    }
}
