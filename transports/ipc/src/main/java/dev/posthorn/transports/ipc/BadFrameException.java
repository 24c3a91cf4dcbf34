package dev.posthorn.transports.ipc;

/** The other side does not keep to the protocol; the text says how. Ends its connection and nothing else. */
final class BadFrameException extends Exception {

    private static final long serialVersionUID = 1L;

    BadFrameException(String message) {
        super(message);
    }
}
