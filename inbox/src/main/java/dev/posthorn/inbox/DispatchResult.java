package dev.posthorn.inbox;

/** What became of a message, for people who drive their own loop. */
public enum DispatchResult {
    /** Every handler is done with it, now or before, or gave it up and its dead letter is kept. */
    SUCCESS(true),
    /** At least one handler wants it again: give it back, to come again later. */
    HANDLER_FAILED(false),
    /** It is no event; its bytes are kept as a dead letter. */
    DECODE_ERROR(true);

    private final boolean ack;

    DispatchResult(boolean ack) {
        this.ack = ack;
    }

    /** Whether the broker may forget it. */
    public boolean shouldAck() {
        return ack;
    }
}
