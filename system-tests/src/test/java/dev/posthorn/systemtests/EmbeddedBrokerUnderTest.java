package dev.posthorn.systemtests;

import dev.posthorn.embeddedbrokers.EmbeddedBroker;
import dev.posthorn.testkit.Forwarder;
import dev.posthorn.transport.Bus;
import java.util.Optional;
import java.util.function.IntFunction;

/** A broker of the module for embedded ones, with a network to it. */
class EmbeddedBrokerUnderTest implements BrokerUnderTest {

    private final EmbeddedBroker broker;
    private final int port;
    private final IntFunction<Bus> opening;
    private final Forwarder network;

    /** With a transport to any port that leads to it. */
    EmbeddedBrokerUnderTest(EmbeddedBroker broker, int port, IntFunction<Bus> opening) {
        this(broker, port, Forwarder.to(port), opening);
    }

    EmbeddedBrokerUnderTest(EmbeddedBroker broker, int port, Forwarder network, IntFunction<Bus> opening) {
        this.broker = broker;
        this.port = port;
        this.network = network;
        this.opening = opening;
    }

    @Override
    public final Bus open() {
        return opening.apply(port);
    }

    @Override
    public final Bus openThroughNetwork() {
        return opening.apply(network.port());
    }

    @Override
    public void kill() {
        broker.kill();
    }

    @Override
    public void start() {
        broker.startAgain();
    }

    @Override
    public final void freeze() {
        broker.freeze();
    }

    @Override
    public final void thaw() {
        broker.thaw();
    }

    @Override
    public final Optional<Forwarder> network() {
        return Optional.of(network);
    }

    @Override
    public final void close() {
        network.close();
        broker.close();
    }
}
