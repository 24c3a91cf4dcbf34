package dev.posthorn.testkit;

import dev.posthorn.transport.Bus;
import java.util.Optional;

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

    /** A network to the broker, besides the short way that other transports take; empty if it is reached without one. */
    Optional<Forwarder> network();

    /** A transport like {@link TestBroker#open}, over that network. */
    Bus openThroughNetwork(String prefix);
}
