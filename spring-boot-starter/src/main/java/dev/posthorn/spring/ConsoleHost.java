package dev.posthorn.spring;

import dev.posthorn.console.Answer;
import dev.posthorn.console.Console;
import dev.posthorn.console.ConsoleSetup;
import dev.posthorn.console.GeneratedToken;
import dev.posthorn.console.HttpDesk;
import dev.posthorn.console.Request;
import dev.posthorn.postgres.Schema;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.env.Environment;

/**
 * The console of this application, opened and closed with it. It closes before the web server waits for its last requests, for a
 * reader of the stream would never be the last one.
 */
final class ConsoleHost implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleHost.class);

    /** What it works on; connections are made at the start. */
    record Place(Supplier<ConsoleConnections> connections, Schema schema, Environment environment) {}

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
    private final ConsolePlan plan;
    private volatile @Nullable Open open;

    ConsoleHost(ConsoleSetup setup, Place place, ConsolePlan plan) {
        this.setup = setup;
        this.place = place;
        this.plan = plan;
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
        HttpDesk desk =
                plan.address().map(where -> HttpDesk.open(where, console)).orElse(null);
        ConsoleConnections connections = place.connections().get();
        console.open(connections.database(), place.schema());
        open = new Open(console, connections, desk);
        String page = plan.page(place.environment(), port());
        LOG.info(
                "Console at {}", plan.generated().map(token -> token.link(page)).orElse(page));
        plan.generated().ifPresent(token -> token.keep(plan.port(place.environment(), port())));
    }

    @Override
    public void stop() {
        Open last = open;
        open = null;
        if (last != null) {
            last.close();
            plan.generated().ifPresent(GeneratedToken::close);
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
