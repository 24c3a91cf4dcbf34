package dev.posthorn.testkit;

/** What can happen to a broker. */
public interface BrokerFaults {

    /** As by kill -9. What it has on disk stays. */
    void kill();

    /** Starts it again after {@link #kill}, at the same address; returns when it answers. */
    void start();

    /** Stands still without closing a connection, as behind a dead network. */
    void freeze();

    /** Goes on after {@link #freeze}. */
    void thaw();
}
