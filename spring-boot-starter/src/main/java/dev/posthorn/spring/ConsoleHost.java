package dev.posthorn.spring;

import dev.posthorn.console.Answer;
import dev.posthorn.console.Console;
import dev.posthorn.console.ConsoleSetup;
import dev.posthorn.console.HttpDesk;
import dev.posthorn.console.Request;
import dev.posthorn.postgres.Schema;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The console of this application, opened and closed with it. It closes before the web server waits for its last requests, for a
 * reader of the stream would never be the last one.
 */
final class ConsoleHost implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleHost.class);

    /** What it works on; connections are made at the start. */
    record Place(Supplier<ConsoleConnections> connections, Schema schema) {}

    private record Open(
            Console console,
            ConsoleConnections connections,
            @Nullable HttpDesk desk) {

        void close() {
            console.close();
            if (desk != null) {
                desk.close();
            }
            try {
                connections.end().close();
            } catch (Exception atTheEnd) {
                LOG.debug("Not closed in order", atTheEnd);
            }
        }
    }

    private final ConsoleSetup setup;
    private final Place place;
    private final Optional<InetSocketAddress> address;
    private volatile @Nullable Open open;

    ConsoleHost(ConsoleSetup setup, Place place, Optional<InetSocketAddress> address) {
        this.setup = setup;
        this.place = place;
        this.address = address;
    }

    /** For a web server of the application. Throws nothing. */
    Answer answer(Request request) {
        Open now = open;
        return now == null ? Console.away() : now.console().answer(request);
    }

    /** Whether the answer costs no database. */
    boolean isQuick(Request request) {
        Open now = open;
        return now == null || now.console().isQuick(request);
    }

    /** Where it answers if it has an address of its own. */
    Optional<Integer> port() {
        Open now = open;
        return Optional.ofNullable(now).map(Open::desk).map(HttpDesk::port);
    }

    @Override
    public void start() {
        Console console = new Console(setup);
        HttpDesk desk = address.map(where -> HttpDesk.open(where, console)).orElse(null);
        ConsoleConnections connections = place.connections().get();
        console.open(connections.database(), place.schema());
        open = new Open(console, connections, desk);
        port().ifPresent(port ->
                LOG.info("Console at http://{}:{}/", address.orElseThrow().getHostString(), port));
    }

    @Override
    public void stop() {
        Open last = open;
        open = null;
        if (last != null) {
            last.close();
        }
    }

    @Override
    public boolean isRunning() {
        return open != null;
    }

    @Override
    public int getPhase() {
        return Phases.CONSUMERS;
    }
}
