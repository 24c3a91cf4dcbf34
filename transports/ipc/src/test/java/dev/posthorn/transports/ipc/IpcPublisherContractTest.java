package dev.posthorn.transports.ipc;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.PublisherContract;
import dev.posthorn.testkit.Received;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Transport;
import dev.posthorn.transport.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** A queue of 20 makes most of the contract run under back-pressure. */
@Tag("slow")
class IpcPublisherContractTest extends PublisherContract {

    @TempDir
    private Path folder;

    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final ReentrantLock door = new ReentrantLock();

    @Override
    protected Transport open() {
        IpcTransport transport = new IpcTransport(
                IpcConfig.in(folder.resolve("ipc")).limits(new IpcConfig.Limits(20, 64 << 20, 2 << 20, 100)));
        transport.subscribe(Subscriber.named("contract").concurrency(1), delivery -> {
            receive(delivery.event());
            delivery.settle(Verdict.done());
        });
        transport.subscribe(Subscriber.named("another"), delivery -> delivery.settle(Verdict.done()));
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
