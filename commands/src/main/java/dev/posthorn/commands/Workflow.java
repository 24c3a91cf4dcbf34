package dev.posthorn.commands;

import dev.posthorn.transport.Outcome;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A workflow run as its handler sees it, for one attempt. Used by one thread.
 *
 * <p>begin → effects and done mark in one transaction, for each step. A crash between two steps loses nothing: whoever has the
 * run next is answered what the done ones returned, and goes on behind them. One that was taken over can do nothing any more.
 *
 * @param <T> what steps work in
 */
public final class Workflow<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Workflow.class);

    private final RunInWork inWork;
    private final Attempt attempt;
    private final WorkflowStore<T> store;
    private final Set<String> done = new HashSet<>();

    Workflow(RunInWork inWork, WorkflowStore<T> store) {
        this.inWork = inWork;
        this.attempt = inWork.attempt();
        this.store = store;
    }

    /** The id of the run. */
    public UUID run() {
        return attempt.run();
    }

    /** 1 for the first. */
    public int attempt() {
        return attempt.number();
    }

    /** A step without a result. */
    @FunctionalInterface
    public interface Effect<T> {
        void apply(T transaction) throws Exception;
    }

    /** Does a step that has no result, unless it was done before. */
    public void effect(String name, Effect<T> effect) throws Exception {
        String unused = step(name, transaction -> {
            effect.apply(transaction);
            return "";
        });
    }

    /**
     * Does a step, or returns what it returned when it was done. A step that returns null returned an empty text.
     *
     * @param name stable, and used once in a run: by it the step is known
     * @throws RunLostException if another one has taken the run; let it through
     * @throws Exception what the step threw, and then its effects are undone
     */
    public String step(String name, Step<T> step) throws Exception {
        if (done.contains(name)) {
            throw new IllegalArgumentException("The step \"" + name + "\" of run " + attempt.run()
                    + " is used twice. Give each a name of its own, with a number if need be.");
        }
        inWork.begin(name);
        Optional<String> before = store.begin(attempt, name);
        String result = before.isPresent() ? before.get() : now(name, step);
        done.add(name);
        return result;
    }

    private String now(String name, Step<T> step) throws Exception {
        try {
            return store.run(attempt, name, transaction -> orEmpty(step.run(transaction)));
        } catch (RunLostException lost) {
            throw lost;
        } catch (Exception failed) {
            logFailure(name, failed);
            throw failed;
        }
    }

    /** Handlers that are compiled without a check for nulls may return one. */
    static String orEmpty(@Nullable String result) {
        return result == null ? "" : result;
    }

    /** Only the log suffers if that can not be done: the step counts as begun, and the next attempt does it again. */
    private void logFailure(String name, Exception failed) {
        try {
            Uninterrupted.run(() -> store.stepFailed(attempt, name, Outcome.reasonOf(failed)));
        } catch (RunLostException | CommandStoreException away) {
            LOG.debug("The failure of step {} of run {} could not be logged", name, attempt.run(), away);
        }
    }
}
