package dev.posthorn.transport;

/**
 * Port: remembers which destinations exist at one broker, so that one that disappears is not silently created again.
 *
 * <p>Waits for its store; throws {@link dev.posthorn.event.PosthornException} if that does not answer. Thread-safe.
 */
public interface DestinationRegister {

    /** Remembers nothing: whatever is missing may be created. */
    DestinationRegister NONE = new DestinationRegister() {
        @Override
        public boolean isKnown(DestinationKind kind, String name) {
            return false;
        }

        @Override
        public void found(DestinationKind kind, String name) {}

        @Override
        public void missing(DestinationKind kind, String name) {}
    };

    /** Whether it existed before, and nobody has allowed it to be created again. Cheap while nothing is missing. */
    boolean isKnown(DestinationKind kind, String name);

    /** It exists: it was just found or created. Cheap when repeated. */
    void found(DestinationKind kind, String name);

    /** It existed before, and is missing now. */
    void missing(DestinationKind kind, String name);
}
