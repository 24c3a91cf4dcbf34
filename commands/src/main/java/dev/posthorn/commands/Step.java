package dev.posthorn.commands;

/**
 * One step of a workflow run.
 *
 * @param <T> what it works in
 */
@FunctionalInterface
public interface Step<T> {

    /**
     * Does it, and returns what is to be remembered; null counts as an empty text. What it does in the transaction is kept if it returns and undone if it
     * throws. The transaction must not be committed, rolled back or closed here.
     */
    String run(T transaction) throws Exception;
}
