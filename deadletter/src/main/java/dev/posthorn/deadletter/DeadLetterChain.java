package dev.posthorn.deadletter;

import dev.posthorn.event.Failure;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Targets in the order in which they are tried, so that a dead letter is not lost itself. Immutable.
 *
 * <p>If none takes it, the delivery stays unsettled and comes again.
 */
public final class DeadLetterChain {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterChain.class);

    /** What became of a dead letter. */
    public enum Kept {
        /** A target has it: the delivery is done with. */
        HERE,
        /** The delivery is to be rejected, so that the transport keeps it. */
        BY_TRANSPORT,
        /** Nobody has it: the delivery must come again. */
        NOWHERE
    }

    private final List<DeadLetterTarget> targets;
    private final boolean copied;

    private DeadLetterChain(List<DeadLetterTarget> targets, boolean copied) {
        this.targets = List.copyOf(targets);
        this.copied = copied;
    }

    /** Tried in this order; the first that takes a letter has it. */
    public static DeadLetterChain of(DeadLetterTarget... targets) {
        if (targets.length == 0) {
            throw new IllegalArgumentException("a chain of dead letter targets needs at least one");
        }
        return new DeadLetterChain(List.of(targets), false);
    }

    /** The transport's own dead letters, and nothing else. */
    public static DeadLetterChain transport() {
        return of(DeadLetterTarget.TRANSPORT);
    }

    /** The same, and what a target has taken goes to the transport's own dead letters as well. */
    public DeadLetterChain alsoToTransport() {
        return new DeadLetterChain(targets, true);
    }

    /** The same for those who can not reject to a transport: what no other target takes is kept nowhere. */
    public DeadLetterChain withoutTransport() {
        return new DeadLetterChain(
                targets.stream()
                        .filter(target -> target != DeadLetterTarget.TRANSPORT)
                        .toList(),
                false);
    }

    public Kept keep(DeadLetter letter) {
        for (DeadLetterTarget target : targets) {
            if (target == DeadLetterTarget.TRANSPORT) {
                return Kept.BY_TRANSPORT;
            }
            try {
                target.keep(letter);
                return copied ? Kept.BY_TRANSPORT : Kept.HERE;
            } catch (Throwable failed) { // whatever it is, the next target shall have it
                LOG.warn(
                        "A dead letter of {} could not be kept by {}: {}",
                        letter.source(),
                        target,
                        Failure.reasonOf(failed));
                LOG.debug("A dead letter could not be kept", Failure.loggable(failed));
            }
        }
        return Kept.NOWHERE;
    }
}
