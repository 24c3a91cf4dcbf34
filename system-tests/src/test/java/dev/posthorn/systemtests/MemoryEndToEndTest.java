package dev.posthorn.systemtests;

import dev.posthorn.transport.Bus;
import dev.posthorn.transports.memory.MemoryTransport;

/** Without a broker there is nothing to kill: the whole way of an event within one process. */
class MemoryEndToEndTest extends RelayEndToEnd {

    @Override
    BrokerUnderTest startBroker() {
        return new BrokerUnderTest() {
            @Override
            public Bus open() {
                return MemoryTransport.builder().build();
            }

            @Override
            public boolean isMortal() {
                return false;
            }

            @Override
            public void kill() {
                throw new IllegalStateException("there is no broker");
            }

            @Override
            public void start() {
                throw new IllegalStateException("there is no broker");
            }

            @Override
            public void close() {}
        };
    }
}
