package dev.posthorn.replay;

import dev.posthorn.transport.Publisher;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the replays of one target, one after the other, each page by page with a checkpoint behind it.
 *
 * <p>At most one event of a key is in flight, in the order of the log. An event that fails is tried again; if that does not
 * help the replay is FAILED, and nothing was skipped. A destination that is not there is waited for. After a crash, whoever
 * claims the replay next publishes again at most what one page holds. Several processes may serve a target: one of them
 * has a replay at a time.
 *
 * <p>Knows no threads: call {@link #runOnce} again and again, from one thread. A call may wait for the database or the
 * archive, never for the destination.
 */
public final class ReplayStep implements AutoCloseable {

    private static final Duration UNTIL_WOKEN = Duration.ofSeconds(1);

    /**
     * What it works with.
     *
     * @param owner the name of this process, unique among those that serve the target
     * @param publisher its own; closed with the step
     */
    public record Parts(String owner, Target target, ReplayStore store, Publisher publisher, ReplayConfig config) {

        /** Returns the target and the owner as log lines name them. */
        public String ids() {
            return target.reduce(route -> "route=" + route, consumer -> "consumer=" + consumer) + " member=" + owner;
        }
    }

    private final Parts parts;
    private final LongSupplier nanos;
    private volatile Runnable onAnswer = () -> {};
    private @Nullable Run run;
    /** What a run left in flight; until it is settled nothing else is published, or one key could have two in flight. */
    private @Nullable Batch leftBehind;

    /** Returns what log lines name. */
    public String ids() {
        return parts.ids();
    }

    public ReplayStep(Parts parts) {
        this(parts, System::nanoTime);
    }

    /** One with a clock of the caller's, in nanoseconds. */
    public ReplayStep(Parts parts, LongSupplier nanos) {
        this.parts = parts;
        this.nanos = nanos;
    }

    /** Has this called, from any thread, when {@link #runOnce} need not wait any longer. It must not block. */
    public void onAnswer(Runnable wake) {
        onAnswer = wake;
    }

    /** Does what can be done now, and tells how long to wait unless an answer comes. */
    public Duration runOnce() {
        if (isSomethingLeftBehind()) {
            return UNTIL_WOKEN;
        }
        Run current = run;
        if (current == null) {
            Optional<ReplayStore.Claim> claim = parts.store()
                    .claim(parts.target(), parts.owner(), parts.config().ttl());
            claim.ifPresent(its -> run = new Run(parts, nanos, () -> onAnswer.run(), its));
            return claim.isPresent() ? Duration.ZERO : parts.config().idle();
        }
        boolean completed = false;
        try {
            Duration pause = current.turn();
            completed = true;
            return pause;
        } finally {
            if (!completed
                    || current.ended()) { // after an error nobody knows what the database has, so it is claimed anew
                forget(current);
            }
        }
    }

    private boolean isSomethingLeftBehind() {
        Batch rest = leftBehind;
        if (rest == null) {
            return false;
        }
        rest.settle(nanos.getAsLong());
        if (!rest.isInFlight()) {
            leftBehind = null;
        }
        return rest.isInFlight();
    }

    private void forget(Run over) {
        leftBehind = over.batch().orElse(null);
        run = null;
    }

    /** Closes the publisher, writes down how far it has come and gives the replay back. After the last {@link #runOnce}. */
    @Override
    public void close() {
        parts.publisher().close();
        Run current = run;
        if (current != null) {
            current.stop();
            run = null;
        }
    }
}
