package dev.posthorn.transport;

import dev.posthorn.event.Event;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A publication whose first outcome is told to somebody else before it is settled. */
final class Watched implements Publication {

    private final Publication publication;
    private final Consumer<? super Outcome> watcher;
    private final AtomicBoolean told = new AtomicBoolean();

    Watched(Publication publication, Consumer<? super Outcome> watcher) {
        this.publication = publication;
        this.watcher = watcher;
    }

    @Override
    public Event event() {
        return publication.event();
    }

    @Override
    public int attempt() {
        return publication.attempt();
    }

    @Override
    public boolean isRedriven() {
        return publication.isRedriven();
    }

    @Override
    public void settle(Outcome outcome) {
        if (told.compareAndSet(false, true)) {
            watcher.accept(outcome);
        }
        publication.settle(outcome);
    }
}
