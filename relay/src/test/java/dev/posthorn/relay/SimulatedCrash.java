package dev.posthorn.relay;

/** The process of a simulated relay ends here: unwinds one of its steps, and the relay is never used again. */
final class SimulatedCrash extends Error {

    private static final long serialVersionUID = 1L;

    SimulatedCrash() {
        super("crash", null, false, false);
    }
}
