package dev.posthorn.transports.rabbitmq;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Exchanges whose last event came back because no queue is bound for it. AMQP does not say what is bound to an exchange, so
 * this is what a publisher can know. Thread-safe.
 */
final class ReturnedEvents {

    private final Set<String> exchanges = ConcurrentHashMap.newKeySet();

    /** What became of the last event. */
    void settled(String exchange, boolean returned) {
        if (returned) {
            exchanges.add(exchange);
        } else if (!exchanges.isEmpty()) {
            exchanges.remove(exchange);
        }
    }

    /** Of these, those whose last event came back. */
    Set<String> of(Set<String> wanted) {
        Set<String> found = new TreeSet<>(wanted);
        found.retainAll(exchanges);
        return found;
    }
}
