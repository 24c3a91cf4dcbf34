package dev.posthorn.postgres;

import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.util.List;

/** Throws on one call, without having handed the events on, and does as it should on all others. */
final class FaultyPublisher implements Publisher {

    private final Publisher publisher;
    private final int faultyCall;
    private int calls;

    FaultyPublisher(Publisher publisher, int faultyCall) {
        this.publisher = publisher;
        this.faultyCall = faultyCall;
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        if (++calls == faultyCall) {
            throw new IllegalStateException("the test breaks the publisher");
        }
        publisher.publish(publications);
    }

    @Override
    public void close() {
        publisher.close();
    }
}
