package dev.posthorn.benchmarks;

import dev.posthorn.benchmarks.BrokerKind.RunningBroker;
import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A relay to a real broker; an event counts when the broker has accepted it. Each run has destinations of its own. */
final class TransportRelay implements Contender {

    private final RunningBroker broker;
    private final RelayDrain drain;
    private @Nullable Bus bus;
    private int run;

    TransportRelay(BenchContext context, RunningBroker broker) {
        this.broker = broker;
        this.drain = new RelayDrain(
                "posthorn relay",
                context,
                0,
                sink -> new ConfirmedPublisher(Objects.requireNonNull(bus).publisher(), sink));
    }

    /** Destinations and a subscriber's queue are there before the clock runs: one event has gone through. */
    static Bus open(RunningBroker broker, String prefix) {
        Bus bus = broker.open(prefix);
        bus.subscribe(Subscriber.named("bench").domains("orders"), delivery -> {})
                .close();
        FirstEvent first = new FirstEvent();
        try (Publisher publisher = bus.publisher()) {
            publisher.publish(List.of(first));
            Answers.await(first.accepted);
        }
        return bus;
    }

    private static final class FirstEvent implements Publication {

        private final Event event =
                Event.of("orders", "order.first").key("first").json("{}").build();
        private final CompletableFuture<Boolean> accepted = new CompletableFuture<>();

        @Override
        public Event event() {
            return event;
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public void settle(Outcome outcome) {
            if (outcome instanceof Outcome.Accepted) {
                accepted.complete(true);
            } else {
                accepted.completeExceptionally(new IllegalStateException("It was not accepted: " + outcome));
            }
        }
    }

    @Override
    public String name() {
        return drain.name();
    }

    @Override
    public BenchOptions options() {
        return drain.options();
    }

    @Override
    public void prepare() throws SQLException {
        bus = open(broker, prefix());
        drain.prepare();
    }

    @Override
    public void deliver(CountingSink sink) {
        drain.deliver(sink);
    }

    @Override
    public void finish() throws SQLException {
        drain.finish();
        Objects.requireNonNull(bus).close();
        broker.clear(prefix());
        run++;
    }

    private String prefix() {
        return "relay" + run;
    }
}
