package dev.posthorn.transports.memory;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.PublisherContract;
import dev.posthorn.testkit.Received;
import dev.posthorn.transport.Transport;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/** A queue of 20 makes most of the contract run under back-pressure. */
class MemoryPublisherContractTest extends PublisherContract {

    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final ReentrantLock door = new ReentrantLock();

    @Override
    protected Transport open() {
        MemoryTransport transport = MemoryTransport.builder().capacity(20).build();
        transport.subscribe("contract", this::receive);
        transport.subscribe("another", event -> {});
        return transport;
    }

    @Override
    protected List<Received> received() {
        return received;
    }

    @Override
    protected Optional<Runnable> stall() {
        door.lock();
        return Optional.of(door::unlock);
    }

    private void receive(Event event) {
        door.lock();
        try {
            received.add(Received.of(event));
        } finally {
            door.unlock();
        }
    }
}
