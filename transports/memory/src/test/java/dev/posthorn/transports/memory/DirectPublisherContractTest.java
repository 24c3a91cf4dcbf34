package dev.posthorn.transports.memory;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.PublisherContract;
import dev.posthorn.testkit.Received;
import dev.posthorn.transport.Transport;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

class DirectPublisherContractTest extends PublisherContract {

    private final List<Received> received = new CopyOnWriteArrayList<>();

    @Override
    protected Transport open() {
        return MemoryTransport.direct(event -> {
            if (event.type().equals("Unwelcome")) {
                throw new IllegalArgumentException("not this one");
            }
            received.add(Received.of(event));
        });
    }

    @Override
    protected List<Received> received() {
        return received;
    }

    @Override
    protected Event unwelcome(String key) {
        return Event.of("orders", "Unwelcome").key(key).json("0").build();
    }

    /** The publishing thread is the destination. */
    @Override
    protected Optional<Runnable> stall() {
        return Optional.empty();
    }
}
