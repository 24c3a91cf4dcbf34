package dev.posthorn.transport;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls that tell a broker what was settled, and are answered later. After a failure a pause is due. Thread-safe. */
public final class SettlingCalls {

    private static final long PAUSE_NANOS = Duration.ofMillis(200).toNanos();

    private final Runnable wake;
    private final AtomicInteger underway = new AtomicInteger();
    private volatile @Nullable String trouble;
    private volatile long notBefore = System.nanoTime();

    /** {@code wake} is run after each answer. */
    public SettlingCalls(Runnable wake) {
        this.wake = wake;
    }

    /**
     * Begins a call; {@code success} or {@code failure} is run with its answer, on any thread, and before it counts as
     * answered: so what is put back for another time is never overlooked.
     */
    public void send(Supplier<? extends CompletionStage<?>> call, Runnable success, Consumer<Throwable> failure) {
        underway.incrementAndGet();
        CompletionStage<?> sent;
        try {
            sent = call.get();
        } catch (RuntimeException refused) { // the connection is gone
            sent = CompletableFuture.failedFuture(refused);
        }
        var unused = sent.whenComplete((answer, failed) -> {
            if (failed == null) {
                succeeded();
                success.run();
            } else {
                failure.accept(failed);
            }
            underway.decrementAndGet();
            wake.run();
        });
    }

    public void succeeded() {
        trouble = null;
    }

    /** Begins a pause. */
    public void failed(@Nullable String reason) {
        trouble = "what was handled can not be settled: " + reason;
        notBefore = System.nanoTime() + PAUSE_NANOS;
    }

    public boolean isPaused() {
        return System.nanoTime() - notBefore < 0;
    }

    public boolean isAllAnswered() {
        return underway.get() == 0;
    }

    /** Why the last call failed; null if it did not. */
    public @Nullable String trouble() {
        return trouble;
    }
}
