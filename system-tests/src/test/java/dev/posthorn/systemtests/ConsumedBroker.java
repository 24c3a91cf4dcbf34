package dev.posthorn.systemtests;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import java.nio.ByteBuffer;
import java.util.List;

/** A real broker to which consumers in other processes connect as well, and where its own client finds dead letters. */
interface ConsumedBroker extends AutoCloseable {

    /** What {@link ConsumedBus#open} understands, from any process. */
    String address();

    /** Puts bytes that are no event where subscribers of this domain read, with the broker's own client. */
    void inject(String domain, byte[] bytes);

    /** All dead letters of this subscriber and domain, read with the broker's own client. */
    List<Letter> deadLetters(String subscriber, String domain);

    default Bus open() {
        return ConsumedBus.open(address());
    }

    @Override
    void close();

    /**
     * A dead letter as the broker has it.
     *
     * @param payload the exact bytes; compared by content
     */
    record Letter(String id, String reason, ByteBuffer payload) {

        static Letter of(Event event, String reason) {
            return new Letter(event.id().toString(), reason, event.payload());
        }
    }
}
