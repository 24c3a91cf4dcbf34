package dev.posthorn.transport;

import dev.posthorn.event.StorableText;
import java.time.Duration;
import java.util.Map;

/**
 * What a receiver says about a delivery; a closed set, each with a different consequence.
 *
 * <p>A reason is kept as a {@link StorableText#remark}: readable, and of limited length.
 */
public sealed interface Verdict {

    /** It is handled: the broker may forget it for this subscriber. */
    record Done() implements Verdict {
        @Override
        public <R> R reduce(Cases<R> cases) {
            return cases.done();
        }
    }

    /**
     * It comes again, no earlier than after this time.
     *
     * @param charged whether this counts as an attempt; false if nothing has tried to handle it
     */
    record Retry(Duration after, String reason, boolean charged) implements Verdict {
        public Retry {
            reason = StorableText.remark(reason);
        }

        @Override
        public <R> R reduce(Cases<R> cases) {
            return cases.retry(after, reason);
        }
    }

    /**
     * It will never be handled: it goes to the transport's dead letters, with this reason.
     *
     * @param about more that the dead letter carries as headers, by name
     */
    record Reject(String reason, Map<String, String> about) implements Verdict {
        public Reject {
            reason = StorableText.remark(reason);
            about = Map.copyOf(about);
        }

        @Override
        public <R> R reduce(Cases<R> cases) {
            return cases.reject(reason, about);
        }
    }

    /** Calls the one case that this verdict is. */
    <R> R reduce(Cases<R> cases);

    /** One method for each kind, so that no kind can be forgotten. */
    interface Cases<R> {
        R done();

        R retry(Duration after, String reason);

        R reject(String reason);

        /** The same with headers for the dead letter. A case without a dead letter takes it as any rejection. */
        default R reject(String reason, Map<String, String> about) {
            return reject(reason);
        }
    }

    Verdict DONE = new Done();

    static Verdict done() {
        return DONE;
    }

    static Verdict retry(Duration after) {
        return retry(after, "the receiver asked for it again");
    }

    static Verdict retry(Duration after, String reason) {
        return new Retry(after, reason, true);
    }

    /** The same, but nothing has tried to handle it yet, so no attempt is counted. */
    static Verdict later(Duration after, String reason) {
        return new Retry(after, reason, false);
    }

    static Verdict reject(String reason) {
        return new Reject(reason, Map.of());
    }

    /** Rejected, and these headers travel with the dead letter. */
    static Verdict reject(String reason, Map<String, String> about) {
        return new Reject(reason, about);
    }
}
