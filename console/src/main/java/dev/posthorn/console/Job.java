package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Long work that was asked for, and how far it is. It ends with the process; what it has done by then stays. Thread-safe. */
final class Job {

    /** How it stands. */
    enum State {
        RUNNING,
        DONE,
        STOPPED,
        FAILED
    }

    /** Who asked for what, and why. */
    record Order(String action, String who, String reason) {}

    /** How far it is; {@code answers} has how many got which answer. */
    record Progress(long count, long total, Map<String, Long> answers) {}

    /** What is done. */
    @FunctionalInterface
    interface Work {
        /** Returns whether it came to its end; false if it was stopped. */
        boolean run(Job job) throws Exception;
    }

    private final UUID id = UUID.randomUUID();
    private final Order order;
    private final Instant startedAt;
    private final long began = System.nanoTime();
    private State state = State.RUNNING;
    private Progress progress;
    private long ended;
    private @Nullable String fault;
    private @Nullable ObjectNode result;
    private Runnable stop = () -> {};
    private boolean stopAsked;
    private long version;

    Job(Order order, Instant startedAt, long total) {
        this.order = order;
        this.startedAt = startedAt;
        this.progress = new Progress(0, total, Map.of());
    }

    UUID id() {
        return id;
    }

    Order order() {
        return order;
    }

    /** How often it has changed. */
    synchronized long version() {
        return version;
    }

    synchronized boolean isRunning() {
        return state == State.RUNNING;
    }

    synchronized Progress progress() {
        return progress;
    }

    synchronized void reached(Progress now) {
        progress = now;
        version++;
    }

    synchronized void found(ObjectNode told) {
        result = told;
        version++;
    }

    /** What to do when somebody stops it, or has done so already. */
    void onStop(Runnable stopper) {
        boolean late;
        synchronized (this) {
            stop = stopper;
            late = stopAsked;
        }
        if (late) {
            stopper.run();
        }
    }

    void stop() {
        Runnable stopper;
        synchronized (this) {
            stopAsked = true;
            stopper = stop;
        }
        stopper.run();
    }

    synchronized void ended(State how, Optional<String> why) {
        state = how;
        fault = why.orElse(null);
        ended = System.nanoTime();
        version++;
    }

    synchronized ObjectNode json() {
        double seconds = ((state == State.RUNNING ? System.nanoTime() : ended) - began) / 1e9;
        ObjectNode json = Json.object()
                .put("id", id.toString())
                .put("action", order.action())
                .put("state", state.name().toLowerCase(Locale.ROOT))
                .put("count", progress.count())
                .put("total", progress.total())
                .put("per_second", History.rounded(progress.count() / Math.max(0.001, seconds)))
                .put("started_at", startedAt.toString())
                .put("who", order.who())
                .put("reason", order.reason())
                .put("error", fault);
        ObjectNode answers = json.putObject("answers");
        progress.answers().forEach(answers::put);
        json.set("result", result == null ? json.nullNode() : result.deepCopy());
        return json;
    }
}
