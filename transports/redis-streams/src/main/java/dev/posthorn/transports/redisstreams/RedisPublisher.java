package dev.posthorn.transports.redisstreams;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Pauses;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects when there is something to publish. What comes while it connects waits for it; after a failure all is
 * unavailable until a pause is over, which grows with each failure.
 */
final class RedisPublisher implements Publisher {

    private static final Logger LOG = LoggerFactory.getLogger(RedisPublisher.class);
    private static final Outcome CLOSED = Outcome.unavailable("the Redis Streams publisher is closed");

    private final Connector connector;
    private final Function<Link, Courier> couriers;

    /** Guards everything below. */
    private final Object lock = new Object();

    private final Pauses pauses = Connector.pauses();
    private final List<Publication> waiting = new ArrayList<>();
    private boolean connecting;
    private boolean closed;
    private @Nullable Courier courier;
    private String lastFailure = "Redis was not reached yet";

    RedisPublisher(Connector connector, Function<Link, Courier> couriers) {
        this.connector = connector;
        this.couriers = couriers;
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        Courier open;
        boolean connect = false;
        Outcome refusal = CLOSED;
        synchronized (lock) {
            open = courier != null && courier.isOpen() ? courier : null;
            boolean mayWait = !closed && open == null && (connecting || pauses.isOver());
            if (mayWait) {
                waiting.addAll(publications);
                connect = !connecting;
                connecting = true;
            }
            if (!closed) {
                refusal = mayWait ? null : Outcome.unavailable(lastFailure);
            } else {
                open = null;
            }
        }
        if (open != null) {
            open.send(List.copyOf(publications));
        } else if (refusal != null) {
            settle(List.copyOf(publications), refusal);
        } else if (connect) {
            var unused = connector.connect().whenComplete(this::connected);
        }
    }

    private void connected(@Nullable Link link, @Nullable Throwable failure) {
        Courier made = link == null ? null : couriers.apply(link);
        List<Publication> ready;
        Outcome refusal = CLOSED;
        synchronized (lock) {
            connecting = false;
            ready = List.copyOf(waiting);
            waiting.clear();
            if (failure != null) {
                lastFailure = connector.reason(failure);
                refusal = Outcome.unavailable(lastFailure);
                pauses.failed();
            } else if (!closed) {
                courier = made;
                pauses.succeeded();
                refusal = null;
            }
        }
        if (made != null && refusal == null) {
            made.send(ready);
        } else {
            settle(ready, refusal == null ? CLOSED : refusal);
            if (made != null) {
                made.close();
            }
        }
    }

    private static void settle(List<Publication> publications, Outcome outcome) {
        publications.forEach(publication -> publication.settle(outcome));
    }

    boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }

    /** Called from time to time. */
    void giveUpOverdue() {
        Courier current;
        synchronized (lock) {
            current = courier;
        }
        if (current != null) {
            current.giveUpOverdue();
        }
    }

    /** Called from time to time. */
    void register() {
        Courier current;
        synchronized (lock) {
            current = courier;
        }
        if (current != null) {
            current.register();
        }
    }

    @Override
    public void close() {
        Courier last;
        List<Publication> unsent;
        synchronized (lock) {
            closed = true;
            last = courier;
            courier = null;
            unsent = List.copyOf(waiting);
            waiting.clear();
        }
        settle(unsent, CLOSED);
        if (last != null) {
            last.close();
            try {
                last.register();
            } catch (PosthornException unregistered) {
                LOG.warn("Streams were used and could not be registered: {}", unregistered.getMessage());
            }
        }
    }
}
