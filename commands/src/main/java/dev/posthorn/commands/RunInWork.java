package dev.posthorn.commands;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An attempt that a thread of this process works on, and since when it is at its present step. Thread-safe. */
final class RunInWork {

    private final Attempt attempt;
    private final Thread thread = Thread.currentThread();
    private String step = "";
    private long since = System.nanoTime();
    private @Nullable String overdue;
    private boolean ended;

    /** Made by the thread that works on it. */
    RunInWork(Attempt attempt) {
        this.attempt = attempt;
    }

    Attempt attempt() {
        return attempt;
    }

    /** A sign of life: this step begins. */
    synchronized void begin(String name) {
        step = name;
        since = System.nanoTime();
    }

    synchronized String step() {
        return step;
    }

    /** Why it is overdue, if its step has taken longer than this; from then on it is. */
    synchronized Optional<String> overdueAfter(Duration longest) {
        if (!ended && overdue == null && System.nanoTime() - since > longest.toNanos()) {
            overdue = "the step \"" + step + "\" has not ended within " + longest.toMillis()
                    + " ms (stepTime) and was interrupted; make it shorter, or allow more time";
        }
        return Optional.ofNullable(overdue);
    }

    synchronized Optional<String> overdue() {
        return Optional.ofNullable(overdue);
    }

    /** Only while it is worked on: the thread may be at something else afterwards. */
    synchronized void interrupt() {
        if (!ended) {
            thread.interrupt();
        }
    }

    /** Called by the thread that works on it. An interrupt that was meant for the step concerns nothing that comes later. */
    synchronized void end() {
        ended = true;
        if (overdue != null) {
            boolean unused = Thread.interrupted();
        }
    }
}
