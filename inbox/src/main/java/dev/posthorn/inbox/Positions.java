package dev.posthorn.inbox;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.NotYetException;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a handler see the events of a key in the order of their own {@code sequence}, without gaps, or not unnoticed.
 *
 * <p>The sequence is the producer's, such as an aggregate's version; the log's own order is never compared, for an event that
 * commits late has a low place in it. The position moves in the handler's own transaction. A key that is new begins with
 * whatever sequence comes first. Immutable.
 *
 * @param <T> what handlers work in
 */
public final class Positions<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Positions.class);

    /** What to do with an event whose predecessors have not been handled. */
    public enum Gap {
        /** It comes again, however often, until they are: redriven straight to the consumer, or passed over by an operator. */
        WAIT,
        /** It is a dead letter, with what was expected. */
        REJECT,
        /** It is handled, and the missing ones are passed over. */
        SKIP
    }

    /** What to do with an event that is no later than one that was handled. */
    public enum StepBack {
        /** It is a dead letter, with what was expected. */
        REJECT,
        /** It is done without being handled. */
        SKIP
    }

    /**
     * What to do about events that are out of their order.
     *
     * @param again how long an event waits before it comes again, with {@link Gap#WAIT} (1 s). Too short: a key that waits
     *     keeps a thread busy. Too long: it goes on that much later
     */
    public record Policy(Gap gap, StepBack stepBack, Duration again) {

        /** Waits for what is missing, and rejects what comes too late. */
        public static final Policy STRICT = new Policy(Gap.WAIT, StepBack.REJECT, Duration.ofSeconds(1));

        public Policy {
            if (again.isNegative() || again.isZero()) {
                throw new IllegalArgumentException("again is " + again + " and must be positive");
            }
        }

        public Policy gap(Gap gap) {
            return new Policy(gap, stepBack, again);
        }

        public Policy stepBack(StepBack stepBack) {
            return new Policy(gap, stepBack, again);
        }

        public Policy again(Duration again) {
            return new Policy(gap, stepBack, again);
        }
    }

    private final PositionStore<T> store;
    private final Policy policy;

    /**
     * Positions of handlers whose events come this way.
     *
     * @throws PosthornException if events of a key can overtake each other on the way: a key would then wait for what stands
     *     behind it, or pass over what was only late
     */
    public Positions(PositionStore<T> store, Policy policy, KeyOrder order) {
        List<String> faults = order.faults();
        if (!faults.isEmpty()) {
            throw new PosthornException("Positions can not be kept where the events of a key may overtake each other: "
                    + String.join("; ", faults) + ".");
        }
        this.store = store;
        this.policy = policy;
    }

    /**
     * The handler, called for events that are next in their key. An event without a key or a sequence is rejected.
     *
     * @param id the consumer's and the handler's own names, by which the positions are known
     */
    public EventHandler<T> inOrder(HandlerId id, EventHandler<T> handler) {
        return (event, transaction) -> {
            if (event.key().isEmpty() || event.sequence().isEmpty()) {
                return Verdict.reject("it has no " + (event.key().isEmpty() ? "key" : "sequence") + ", and " + id
                        + " handles events in the order of theirs");
            }
            long sequence = event.sequence().getAsLong();
            OptionalLong at = store.advance(transaction, id, event.key().get(), sequence, policy.gap() == Gap.SKIP);
            return at.isEmpty() ? handler.handle(event, transaction) : outOfOrder(id, event, at.getAsLong());
        };
    }

    private Verdict outOfOrder(HandlerId id, Event event, long position) {
        Cause.SequenceMismatch mismatch =
                new Cause.SequenceMismatch(position + 1, event.sequence().orElseThrow());
        boolean ahead = mismatch.actual() > mismatch.expected();
        if (ahead && policy.gap() == Gap.WAIT) {
            throw new NotYetException(
                    "Key " + event.key().orElseThrow() + " of " + id + " waits: " + mismatch.reason(), policy.again());
        }
        if (ahead || policy.stepBack() == StepBack.REJECT) {
            throw new DeadLetterException(mismatch);
        }
        LOG.info(
                "{} passes over event {} of key {}: {}",
                id,
                event.id(),
                event.key().orElseThrow(),
                mismatch.reason());
        return Verdict.done();
    }
}
