package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import java.util.List;
import java.util.function.Consumer;

/** A broker's own client, used as fast as it is safe: pipelined, and an event counts when the broker has confirmed it. */
interface PlainClient extends AutoCloseable {

    /** Publishes the same bytes and headers as the transport does; returns when all are confirmed. */
    void publish(List<Event> events, Consumer<Event> confirmed);

    @Override
    void close();
}
