package dev.posthorn.systemtests;

import dev.posthorn.testkit.Forwarder;
import dev.posthorn.transport.Bus;
import java.time.Duration;
import java.util.Optional;

/** A broker as a process that can be killed and started again. */
interface BrokerUnderTest extends AutoCloseable {

    Bus open();

    /** Whether it is a process that can be killed. */
    default boolean isMortal() {
        return true;
    }

    void kill();

    void start();

    /** Stops it without closing a connection. */
    void freeze();

    /** Resumes it after {@link #freeze}. */
    void thaw();

    /** A network to it, which {@link #openThroughNetwork} uses; empty if it is reached without one. */
    Optional<Forwarder> network();

    /** A transport over that network, or over the only way that there is. */
    Bus openThroughNetwork();

    /** How late its answers may be without an outage; less than 8 s for all round trips of a publication. */
    default Duration slowness() {
        return Duration.ofSeconds(5);
    }

    @Override
    void close();
}
