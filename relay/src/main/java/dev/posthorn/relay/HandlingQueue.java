package dev.posthorn.relay;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Where events wait for their handler, in place of a transport. Thread-safe. */
final class HandlingQueue implements Publisher {

    private static final Outcome CLOSED = Outcome.unavailable("the handler is being stopped");

    private final ConcurrentLinkedQueue<Sent> waiting = new ConcurrentLinkedQueue<>();
    private final Runnable wakeUp;
    private volatile boolean closed;

    HandlingQueue(Runnable wakeUp) {
        this.wakeUp = wakeUp;
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        publications.forEach(publication -> waiting.add((Sent) publication));
        if (closed) {
            giveBack();
        } else {
            wakeUp.run();
        }
    }

    @Nullable
    Sent poll() {
        return waiting.poll();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    boolean isClosed() {
        return closed;
    }

    private void giveBack() {
        for (Sent sent = waiting.poll(); sent != null; sent = waiting.poll()) {
            sent.settle(CLOSED);
        }
    }

    /** Nothing that waits here is begun any more. */
    @Override
    public void close() {
        closed = true;
        giveBack();
    }
}
