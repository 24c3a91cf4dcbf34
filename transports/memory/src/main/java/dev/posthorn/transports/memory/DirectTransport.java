package dev.posthorn.transports.memory;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.StoppedKeys;
import dev.posthorn.transport.Transport;
import java.util.List;
import java.util.function.Consumer;

/** No queue and no thread: the publishing thread runs the handler, and what the handler does is the outcome. */
final class DirectTransport implements Transport {

    private final Consumer<? super Event> handler;
    private volatile boolean closed;

    DirectTransport(Consumer<? super Event> handler) {
        this.handler = handler;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Capabilities capabilities() {
        return MemoryTransport.CAPABILITIES;
    }

    @Override
    public Publisher publisher() {
        return new DirectPublisher();
    }

    @Override
    public void close() {
        closed = true;
    }

    private final class DirectPublisher implements Publisher {

        private volatile boolean publisherClosed;

        @Override
        public void publish(List<? extends Publication> publications) {
            StoppedKeys stopped = new StoppedKeys();
            for (Publication publication : publications) {
                if (!stopped.withhold(publication)) {
                    Outcome outcome = handle(publication.event());
                    if (!(outcome instanceof Outcome.Accepted)) {
                        stopped.stop(publication.event());
                    }
                    publication.settle(outcome);
                }
            }
        }

        /** One after the other, so any number. */
        @Override
        public int longestRun() {
            return Integer.MAX_VALUE;
        }

        private Outcome handle(Event event) {
            if (closed || publisherClosed) {
                return Outcome.unavailable(MemoryTransport.CLOSED);
            }
            try {
                handler.accept(event);
                return Outcome.accepted();
            } catch (Throwable thrown) { // also an Error must not leave the publication unsettled
                return Outcome.failed(Outcome.reasonOf(thrown));
            }
        }

        @Override
        public void close() {
            publisherClosed = true;
        }
    }
}
