package dev.posthorn.inbox;

/** The consumer ends while something is being handled: it is not settled, and comes again without a charged attempt. */
final class StoppedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StoppedException() {
        super("the consumer ends", null, false, false);
    }
}
