package dev.posthorn.relay;

import dev.posthorn.transport.Publisher;
import org.jspecify.annotations.Nullable;

/** The place that a relay gets its events to: a transport, or a handler in the transaction of the checkpoint. */
sealed interface PublishTarget {

    /** The publisher for it; a handler's queue wakes the thread that handles. */
    Publisher publisher(Runnable wakeHandling);

    @Nullable
    HandlingStep handling(RelayState state, Publisher publisher, String relay);

    record ToTransport(Publisher publisher) implements PublishTarget {
        @Override
        public Publisher publisher(Runnable wakeHandling) {
            return publisher;
        }

        @Override
        public @Nullable HandlingStep handling(RelayState state, Publisher any, String relay) {
            return null;
        }
    }

    record ToHandler<T>(HandlingStore<T> store, Handler<T> handler) implements PublishTarget {
        @Override
        public Publisher publisher(Runnable wakeHandling) {
            return new HandlingQueue(wakeHandling);
        }

        @Override
        public HandlingStep handling(RelayState state, Publisher queue, String relay) {
            return new HandlingStep(state, work -> store.handle(relay, handler, work), (HandlingQueue) queue);
        }
    }
}
