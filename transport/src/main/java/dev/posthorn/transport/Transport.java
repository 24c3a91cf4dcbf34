package dev.posthorn.transport;

/** A way to carry events: opened once for a route, shared by its relays in this process. */
public interface Transport extends AutoCloseable {

    /** A short stable name such as {@code memory} or {@code file}, as it stands in configuration. */
    String name();

    Capabilities capabilities();

    /** A publisher of its own; the caller closes it. Connects lazily: an absent destination is an outcome, not an exception. */
    Publisher publisher();

    @Override
    void close();
}
