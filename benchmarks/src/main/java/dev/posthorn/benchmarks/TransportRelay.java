package dev.posthorn.benchmarks;

import dev.posthorn.benchmarks.BrokerKind.RunningBroker;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Subscriber;
import java.sql.SQLException;
import java.util.Objects;
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

    /** Destinations and a subscriber's queue are there before the clock runs. */
    static Bus open(RunningBroker broker, String prefix) {
        Bus bus = broker.open(prefix);
        bus.subscribe(Subscriber.named("bench").domains("orders"), delivery -> {})
                .close();
        return bus;
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
        bus = open(broker, "relay" + run++);
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
    }
}
