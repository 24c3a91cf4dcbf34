package dev.posthorn.systemtests;

import dev.posthorn.testkit.Forwarder;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.memory.MemoryTransport;
import java.util.Optional;

/** Without a broker there is nothing to kill: the whole way of an event within one process. */
class MemoryEndToEndTest extends RelayEndToEnd {

    @Override
    BrokerUnderTest startBroker() {
        return new NoBroker();
    }

    private static final class NoBroker implements BrokerUnderTest {

        private static final String NONE = "there is no broker";

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
            throw new IllegalStateException(NONE);
        }

        @Override
        public void start() {
            throw new IllegalStateException(NONE);
        }

        @Override
        public void freeze() {
            throw new IllegalStateException(NONE);
        }

        @Override
        public void thaw() {
            throw new IllegalStateException(NONE);
        }

        @Override
        public Optional<Forwarder> network() {
            return Optional.empty();
        }

        @Override
        public Bus openThroughNetwork() {
            return open();
        }

        @Override
        public void close() {}
    }
}
