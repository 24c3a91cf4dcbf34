package dev.posthorn.demo;

import dev.posthorn.event.Event;
import dev.posthorn.examples.holdco.HoldcoConsumer;
import dev.posthorn.examples.holdco.Queue;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Verdict;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The consumers of all five queues; that of analytics.ingest tells when an event arrives. */
final class HoldcoConsumers implements AutoCloseable {

    private final LagMeter lag;
    private final List<Consumer<Connection>> all = new ArrayList<>();
    private volatile long lastArrival = System.nanoTime();

    private HoldcoConsumers(LagMeter lag) {
        this.lag = lag;
    }

    static HoldcoConsumers start(Bus bus, DataSource database, LagMeter lag) {
        HoldcoConsumers consumers = new HoldcoConsumers(lag);
        Equipment<Connection> equipment = HoldcoConsumer.equipment(database);
        for (Queue queue : Queue.values()) {
            EventHandler<Connection> handler = HoldcoConsumer.handlerOf(queue);
            consumers.all.add(HoldcoConsumer.start(
                    bus, queue, equipment, queue == Queue.ANALYTICS ? consumers.noting(handler) : handler));
        }
        return consumers;
    }

    private EventHandler<Connection> noting(EventHandler<Connection> handler) {
        return (event, connection) -> {
            Verdict verdict = handler.handle(event, connection);
            note(event);
            return verdict;
        };
    }

    private void note(Event event) {
        if (lag.arrived(event.id())) {
            lastArrival = System.nanoTime();
        }
    }

    /** When an event came for the first time, the last time, as {@link System#nanoTime}. */
    long lastArrival() {
        return lastArrival;
    }

    /** Deliveries of what was handled before, at all queues. */
    long duplicates() {
        return all.stream()
                .mapToLong(consumer -> consumer.report().totals().skipped())
                .sum();
    }

    @Override
    public void close() {
        all.forEach(Consumer::close);
    }
}
