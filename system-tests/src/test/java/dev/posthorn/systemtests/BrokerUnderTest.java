package dev.posthorn.systemtests;

import dev.posthorn.transport.Bus;

/** A broker as a process that can be killed and started again. */
interface BrokerUnderTest extends AutoCloseable {

    Bus open();

    /** Whether it is a process that can be killed. */
    default boolean isMortal() {
        return true;
    }

    void kill();

    void start();

    @Override
    void close();
}
