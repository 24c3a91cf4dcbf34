package dev.posthorn.transports.memory;

import dev.posthorn.event.Event;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/** A handler that finishes an event only when the test lets it. */
final class Gate implements Consumer<Event> {

    private final Semaphore permits = new Semaphore(0);
    private final List<Event> finished = new CopyOnWriteArrayList<>();

    @Override
    public void accept(Event event) {
        try {
            permits.acquire();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException("stopped while handling", stopped);
        }
        finished.add(event);
    }

    void let(int count) {
        permits.release(count);
    }

    List<Event> finished() {
        return finished;
    }
}
