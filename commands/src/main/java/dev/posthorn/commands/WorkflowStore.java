package dev.posthorn.commands;

import java.util.Optional;

/**
 * Port: what the steps of workflow runs did. Thread-safe.
 *
 * <p>Every method throws {@link RunLostException} if another one has taken the run, and changes nothing then. All but
 * {@link #run} throw {@link CommandStoreException} if it can not be reached.
 *
 * @param <T> what steps work in
 */
public interface WorkflowStore<T> {

    /** Logs that a step begins; or answers its result if it was done before. */
    Optional<String> begin(Attempt attempt, String step);

    /**
     * Does a step in a transaction, and keeps its effects together with its result and the mark that it is done; or none of
     * them, if anything is thrown.
     */
    String run(Attempt attempt, String step, Step<T> work) throws Exception;

    /** The run has the time of the attempt's lease from now. */
    void renew(Attempt attempt);

    /** Logs that a step failed. */
    void stepFailed(Attempt attempt, String step, String error);

    /** The run is done. */
    void done(Attempt attempt, String result);

    /** The run failed, and may be tried again. */
    void failed(Attempt attempt, String error);
}
