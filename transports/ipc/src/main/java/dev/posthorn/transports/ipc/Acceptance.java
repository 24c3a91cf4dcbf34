package dev.posthorn.transports.ipc;

/** When an event counts as accepted. */
public enum Acceptance {
    /** When the queue of every subscriber that wants it has it. What is in a queue is lost when its hub dies. */
    QUEUED,
    /**
     * When every subscriber that wants it has settled it. Nothing that was accepted can be lost then, but whoever publishes
     * waits for the slowest handler, and an event that is handled for longer than the patience is unknown and published again.
     */
    HANDLED
}
