package dev.posthorn.inbox;

import dev.posthorn.transport.Bus;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of handlers that take too long for the transport: one that outlasts the deadline is given its event again while it still
 * works on it. {@link #warnOnce} is for one thread at a time.
 */
final class DeadlineWarning {

    private static final Logger LOG = LoggerFactory.getLogger(DeadlineWarning.class);

    private final String consumer;
    private final Bus bus;
    private final Journal journal;
    private boolean warned;

    DeadlineWarning(String consumer, Bus bus, Journal journal) {
        this.consumer = consumer;
        this.bus = bus;
        this.journal = journal;
    }

    Optional<String> warning() {
        Duration deadline = bus.ackDeadline();
        Duration slow = journal.handlerP99();
        return deadline.isZero() || slow.multipliedBy(2).compareTo(deadline) <= 0
                ? Optional.empty()
                : Optional.of(
                        "Handlers take up to " + slow.toMillis() + " ms, and the transport brings an event again after "
                                + deadline.toMillis() + " ms: make that at least twice as long");
    }

    void warnOnce() {
        Optional<String> tight = warning();
        if (!warned && tight.isPresent()) {
            warned = true;
            LOG.warn("{}: {}", consumer, tight.get());
        }
    }
}
