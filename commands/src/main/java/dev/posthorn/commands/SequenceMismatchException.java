package dev.posthorn.commands;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.event.PosthornException;

/**
 * Thrown when a command expects its aggregate at one sequence and finds it at another. A consumer makes the command a dead
 * letter at once, with both sequences.
 */
public final class SequenceMismatchException extends PosthornException {

    private static final long serialVersionUID = 1L;

    private final transient Cause.StaleCommand mismatch;

    SequenceMismatchException(Cause.StaleCommand mismatch) {
        super(mismatch.reason());
        this.mismatch = mismatch;
    }

    /** Expected and actual sequence. */
    public Cause.StaleCommand why() {
        return mismatch;
    }
}
