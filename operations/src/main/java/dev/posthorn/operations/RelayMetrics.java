package dev.posthorn.operations;

import dev.posthorn.relay.MemoryBudget;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayStatus;
import dev.posthorn.transport.Publisher;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Metrics of one relay of this process. They wrap its ports, so the relay knows nothing of them.
 *
 * <p>Hand the wrapped ports to {@link Relay#start}, then {@link #watch} what it gave.
 */
public final class RelayMetrics {

    private final MeterRegistry registry;
    private final Tags tags;
    private final Pulse pulse;

    /** The route's name becomes a label. */
    public RelayMetrics(MeterRegistry registry, String route, Clock clock) {
        this.registry = registry;
        this.tags = Tags.of("route", route);
        this.pulse = new Pulse(clock);
    }

    /** The memory that the relays of this process share; once for a registry. */
    public static void watch(MeterRegistry registry, MemoryBudget memory) {
        memoryGauge(
                registry,
                "posthorn_memory_used_bytes",
                "Memory of events that are read but not checkpointed.",
                memory::used);
        memoryGauge(
                registry,
                "posthorn_memory_limit_bytes",
                "The memory budget of all relays of this process.",
                memory::limit);
        memoryGauge(registry, "posthorn_memory_waiting", "Relays that wait for memory.", memory::waiting);
    }

    private static void memoryGauge(MeterRegistry registry, String name, String help, Supplier<Number> value) {
        Gauge.builder(name, value).description(help).register(registry);
    }

    public Relay.Stores around(Relay.Stores stores) {
        return new Relay.Stores(
                stores.route(),
                stores.relay(),
                stores.log(),
                new MeteredCheckpoints(stores.checkpoints(), registry, tags, pulse),
                new MeteredLeases(stores.leases(), registry, tags, pulse));
    }

    public Publisher around(Publisher publisher) {
        return new MeteredPublisher(publisher, registry, tags, pulse);
    }

    public Pulse pulse() {
        return pulse;
    }

    /** What the relay itself tells. */
    public void watch(Relay relay) {
        watch(relay, Relay::status);
    }

    /** The registry does not keep what is counted from going away; whoever runs it does. */
    <T> void watch(T relay, Function<T, RelayStatus> look) {
        gauge(
                relay,
                "posthorn_relay_lanes",
                "Lanes that this relay holds.",
                one -> look.apply(one).lanes().size());
        gauge(
                relay,
                "posthorn_relay_under_way",
                "Events read but not checkpointed.",
                one -> look.apply(one).held());
        gauge(
                relay,
                "posthorn_relay_in_flight",
                "Publishes that are not answered.",
                one -> look.apply(one).inFlight());
        gauge(
                relay,
                "posthorn_breaker_open",
                "1 while nothing is published because the destination is down or silent.",
                one -> look.apply(one).obstacle() == RelayStatus.Obstacle.DESTINATION ? 1 : 0);
        counter(
                relay,
                "posthorn_relay_dead",
                "Events given up.",
                one -> look.apply(one).totals().dead());
        counter(
                relay,
                "posthorn_relay_reads",
                "Looks at the log.",
                one -> look.apply(one).totals().reads());
        counter(
                relay,
                "posthorn_relay_reloads",
                "Lanes loaded again after doubt.",
                one -> look.apply(one).totals().reloads());
    }

    private <T> void gauge(T relay, String name, String help, ToDoubleFunction<T> value) {
        Gauge.builder(name, relay, value)
                .description(help)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private <T> void counter(T relay, String name, String help, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, relay, value).description(help).tags(tags).register(registry);
    }
}
