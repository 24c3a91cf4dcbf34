package dev.posthorn.inbox;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;

/**
 * What is remembered of calls to systems outside the database. Each method is a transaction of its own. Thread-safe.
 *
 * <p>Throws {@link InboxException} if it can not be reached.
 */
public interface CallStore {

    /**
     * Which call.
     *
     * @param name of the remote operation, stable for ever
     * @param event for whose sake it is made
     */
    record CallId(String name, UUID event) {}

    /** Who may make a call now. */
    sealed interface Claim {

        /** This one, who had this token. */
        record Ours() implements Claim {
            @Override
            public <R> R reduce(R ours, Function<String, R> answered, Function<Duration, R> theirs) {
                return ours;
            }
        }

        /** Nobody, for it was answered. */
        record Answered(String answer) implements Claim {
            @Override
            public <R> R reduce(R ours, Function<String, R> answered, Function<Duration, R> theirs) {
                return answered.apply(answer);
            }
        }

        /** Another one, for this long at most. */
        record Theirs(Duration left) implements Claim {
            @Override
            public <R> R reduce(R ours, Function<String, R> answered, Function<Duration, R> theirs) {
                return theirs.apply(left);
            }
        }

        /** The value for the one case that this is. */
        <R> R reduce(R ours, Function<String, R> answered, Function<Duration, R> theirs);
    }

    /** Claims a call for a while, unless it was answered or another has it. */
    Claim claim(CallId call, UUID token, Duration lease);

    /** Keeps an answer for ever; false if the claim ran out and another has it, or has answered. */
    boolean answered(CallId call, UUID token, String answer);

    /** Gives a claim back, so that the next one need not wait. */
    void release(CallId call, UUID token);
}
