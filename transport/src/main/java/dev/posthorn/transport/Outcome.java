package dev.posthorn.transport;

import dev.posthorn.event.Failure;
import dev.posthorn.event.StorableText;
import java.time.Duration;
import java.util.Optional;

/**
 * What became of one publish call; a closed set, each with a different consequence.
 *
 * <p>A reason is kept as a {@link StorableText#remark}: readable, and of limited length.
 */
public sealed interface Outcome {

    /** The destination has it, durably as far as it can, and routed it to whoever subscribed. */
    record Accepted() implements Outcome {
        @Override
        public <R> R reduce(Cases<R> cases) {
            return cases.accepted();
        }
    }

    /** It will never work: unknown type, invalid payload, too large. Becomes FAILED at once. */
    record Refused(String reason) implements Outcome {
        public Refused {
            reason = StorableText.remark(reason);
        }

        @Override
        public <R> R reduce(Cases<R> cases) {
            return cases.refused(reason);
        }
    }

    /**
     * This event did not go through but may later; unroutable is this too. Charges an attempt.
     *
     * @param pause how long the destination wants it to wait; empty leaves that to the route's policy
     */
    record Failed(String reason, Optional<Duration> pause) implements Outcome {
        public Failed {
            reason = StorableText.remark(reason);
        }

        @Override
        public <R> R reduce(Cases<R> cases) {
            return pause.isPresent() ? cases.failed(reason, pause.get()) : cases.failed(reason);
        }
    }

    /** The destination is down, missing or will not let us in. Opens the breaker; charges nothing. */
    record Unavailable(String reason) implements Outcome {
        public Unavailable {
            reason = StorableText.remark(reason);
        }

        @Override
        public <R> R reduce(Cases<R> cases) {
            return cases.unavailable(reason);
        }
    }

    /**
     * The answer is lost: it may have arrived. Sent again soon, which may be a duplicate. Charges an attempt only if this event fails
     * alone while others go through; many at once are an outage.
     */
    record Unknown(String reason) implements Outcome {
        public Unknown {
            reason = StorableText.remark(reason);
        }

        @Override
        public <R> R reduce(Cases<R> cases) {
            return cases.unknown(reason);
        }
    }

    /** Calls the one case that this outcome is. */
    <R> R reduce(Cases<R> cases);

    /** One method for each kind, so that no kind can be forgotten. */
    interface Cases<R> {
        R accepted();

        R refused(String reason);

        R failed(String reason);

        /** The same with a pause that the destination asked for. Whoever has no use for pauses takes it as any failure. */
        default R failed(String reason, Duration pause) {
            return failed(reason);
        }

        R unavailable(String reason);

        R unknown(String reason);
    }

    Outcome ACCEPTED = new Accepted();

    static Outcome accepted() {
        return ACCEPTED;
    }

    static Outcome refused(String reason) {
        return new Refused(reason);
    }

    static Outcome failed(String reason) {
        return new Failed(reason, Optional.empty());
    }

    /** Failed, and to be tried again no earlier than after this time. */
    static Outcome failed(String reason, Duration pause) {
        return new Failed(reason, Optional.of(pause));
    }

    static Outcome unavailable(String reason) {
        return new Unavailable(reason);
    }

    static Outcome unknown(String reason) {
        return new Unknown(reason);
    }

    /** A reason from an exception: its class and message, without a stack trace. Never throws. */
    static String reasonOf(Throwable cause) {
        return Failure.reasonOf(cause);
    }
}
