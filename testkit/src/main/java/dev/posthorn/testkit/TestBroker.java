package dev.posthorn.testkit;

import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Subscriber;
import java.util.List;
import java.util.Optional;

/**
 * A real broker, as {@link TransportContract} needs it: one for all tests of a class, with destinations of their own for
 * each.
 *
 * <p>Where a broker has deadlines for handlers, it is set to about a second, so that the tests outlast it.
 */
public interface TestBroker extends AutoCloseable {

    /** A transport whose destinations begin with the prefix; those of one prefix share them. */
    Bus open(String prefix);

    /** The same, to which an event that nobody would get is accepted. */
    Bus openLenient(String prefix);

    /**
     * Puts bytes that are no event where subscribers of this domain read, with the broker's own client; false if only
     * events can get there.
     */
    boolean inject(String prefix, String domain, byte[] bytes);

    /** Bodies of the dead letters of this subscriber and domain, read with the broker's own client. */
    List<byte[]> deadLetters(String prefix, Subscriber subscriber, String domain);

    /**
     * The headers of the same dead letters as text, in the broker's own form; empty if the broker has room for a reason only.
     */
    List<String> deadLetterHeaders(String prefix, Subscriber subscriber, String domain);

    /** How to hurt it, or empty if it is no process of its own. */
    Optional<BrokerFaults> faults();

    @Override
    void close();
}
