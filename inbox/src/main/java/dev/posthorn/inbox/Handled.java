package dev.posthorn.inbox;

import dev.posthorn.deadletter.Cause;
import java.time.Duration;

/** What became of one event at one handler. */
sealed interface Handled {

    /** Its effects are kept, now or before. */
    record Done() implements Handled {
        @Override
        public <R> R reduce(Cases<R> cases) {
            return cases.done();
        }
    }

    /**
     * It is to be tried again.
     *
     * @param charged whether this was an attempt
     */
    record Again(Duration after, String reason, boolean charged) implements Handled {

        Again(Duration after, String reason) {
            this(after, reason, true);
        }

        @Override
        public <R> R reduce(Cases<R> cases) {
            return cases.again(after, reason);
        }
    }

    /** It will not be tried again by itself. */
    record Dead(Cause cause) implements Handled {
        @Override
        public <R> R reduce(Cases<R> cases) {
            return cases.dead(cause);
        }
    }

    /** One method for each kind. */
    interface Cases<R> {
        R done();

        R again(Duration after, String reason);

        R dead(Cause cause);
    }

    <R> R reduce(Cases<R> cases);
}
