package dev.posthorn.deadletter;

import java.util.List;

/**
 * Targets in the order in which they are tried, so that a dead letter is not lost itself. Immutable.
 *
 * <p>If none takes it, the delivery stays unsettled and comes again.
 */
public final class DeadLetterChain {

    /** What became of a dead letter. */
    public enum Kept {
        /** A target has it: the delivery is done with. */
        HERE,
        /** The delivery is to be rejected, so that the transport keeps it. */
        BY_TRANSPORT,
        /** Nobody has it: the delivery must come again. */
        NOWHERE
    }

    /** Port: receives what targets did. Must not throw. */
    public interface Reports {

        /** The target did not take a letter, for this cause. */
        void failed(DeadLetterTarget target, Throwable cause);

        /** The target took a letter. */
        void kept(DeadLetterTarget target);
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

    /** Keeps a dead letter with the first target that takes it, and reports what each target did. */
    public Kept keep(DeadLetter letter, Reports reports) {
        for (DeadLetterTarget target : targets) {
            if (target == DeadLetterTarget.TRANSPORT) {
                return Kept.BY_TRANSPORT;
            }
            try {
                target.keep(letter);
            } catch (Throwable failed) { // whatever it is, the next target shall have it
                reports.failed(target, failed);
                continue;
            }
            reports.kept(target);
            return copied ? Kept.BY_TRANSPORT : Kept.HERE;
        }
        return Kept.NOWHERE;
    }
}
