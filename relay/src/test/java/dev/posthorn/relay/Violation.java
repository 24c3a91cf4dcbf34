package dev.posthorn.relay;

/** A promise was broken. An error, so that nothing in the engine takes it for a fault of the store or the transport. */
final class Violation extends Error {

    private static final long serialVersionUID = 1L;

    Violation(String message) {
        super(message);
    }

    Violation(String message, Throwable cause) {
        super(message, cause);
    }
}
