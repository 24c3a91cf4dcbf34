package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The broker's own client with all events in memory: no log, no cursor, no order to keep when something fails. */
final class PlainPublish implements Contender {

    private final BenchOptions options;
    private final List<Event> events;
    private final Supplier<PlainClient> open;
    private @Nullable PlainClient client;

    PlainPublish(BenchOptions options, List<Event> events, Supplier<PlainClient> open) {
        this.options = options;
        this.events = events;
        this.open = open;
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
        client = open.get();
    }

    @Override
    public void deliver(CountingSink sink) {
        Objects.requireNonNull(client).publish(events, sink);
    }

    @Override
    public void finish() {
        Objects.requireNonNull(client).close();
    }
}
