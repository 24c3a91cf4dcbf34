package dev.posthorn.commands;

import java.time.Duration;
import java.util.UUID;

/** What became of a command; a closed set. */
public sealed interface Answer {

    /** It is done, now or before, with this result. */
    record Done(UUID run, String result) implements Answer {
        @Override
        public <R> R reduce(Cases<R> cases) {
            return cases.done(run, result);
        }
    }

    /**
     * Another one is running it.
     *
     * @param left after this time it is taken over by whoever asks, unless its owner has gone on
     */
    record Running(UUID run, int attempt, Duration left) implements Answer {
        @Override
        public <R> R reduce(Cases<R> cases) {
            return cases.running(run, attempt, left);
        }
    }

    /** Its last attempt failed. Steps that were done stay done. */
    record Failed(UUID run, int attempt, String error) implements Answer {
        @Override
        public <R> R reduce(Cases<R> cases) {
            return cases.failed(run, attempt, error);
        }
    }

    /** Its id or idempotency key was used for another command. Nothing was done. */
    record Conflict(UUID run, String reason) implements Answer {
        @Override
        public <R> R reduce(Cases<R> cases) {
            return cases.conflict(run, reason);
        }
    }

    /** The workflow run; with a conflict that of the other command. */
    UUID run();

    /** Calls the one case that this answer is. */
    <R> R reduce(Cases<R> cases);

    /** One method for each kind, so that no kind can be forgotten. */
    interface Cases<R> {
        R done(UUID run, String result);

        R running(UUID run, int attempt, Duration left);

        R failed(UUID run, int attempt, String error);

        R conflict(UUID run, String reason);
    }
}
