package dev.posthorn.benchmarks;

import dev.posthorn.benchmarks.BrokerKind.RunningBroker;
import dev.posthorn.event.Event;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The broker's own client with all events in memory: no log, no cursor, no order to keep when something fails. */
final class PlainPublish implements Contender {

    private final BenchOptions options;
    private final List<Event> events;
    private final RunningBroker broker;
    private @Nullable PlainClient client;
    private int run;

    PlainPublish(BenchOptions options, List<Event> events, RunningBroker broker) {
        this.options = options;
        this.events = events;
        this.broker = broker;
    }

    @Override
    public String name() {
        return "the broker's own client";
    }

    @Override
    public BenchOptions options() {
        return options;
    }

    @Override
    public void prepare() {
        TransportRelay.open(broker, prefix()).close();
        client = broker.client(prefix());
    }

    @Override
    public void deliver(CountingSink sink) {
        Objects.requireNonNull(client).publish(events, sink);
    }

    @Override
    public void finish() {
        Objects.requireNonNull(client).close();
        broker.clear(prefix());
        run++;
    }

    private String prefix() {
        return "plain" + run;
    }
}
