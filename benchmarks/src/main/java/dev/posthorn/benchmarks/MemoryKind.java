package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.memory.MemoryTransport;
import java.util.List;
import java.util.function.Consumer;

/** No broker: its own client is a call. */
final class MemoryKind implements BrokerKind {

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public double promised() {
        return 0;
    }

    @Override
    public RunningBroker start() {
        return new RunningBroker() {
            @Override
            public Bus open(String prefix) {
                return MemoryTransport.builder().capacity(1_000_000).build();
            }

            @Override
            public PlainClient client(String prefix) {
                return new PlainClient() {
                    @Override
                    public void publish(List<Event> events, Consumer<Event> confirmed) {
                        events.forEach(confirmed);
                    }

                    @Override
                    public void close() {}
                };
            }

            /** It went with the bus. */
            @Override
            public void clear(String prefix) {}

            @Override
            public void close() {}
        };
    }
}
