package dev.posthorn.transports.memory;

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
        return MemoryTransport.direct(event -> received.add(Received.of(event)));
    }

    @Override
    protected List<Received> received() {
        return received;
    }

    /** The publishing thread is the destination. */
    @Override
    protected Optional<Runnable> stall() {
        return Optional.empty();
    }
}
