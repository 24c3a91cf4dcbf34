package dev.posthorn.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.posthorn.console.Console;
import dev.posthorn.console.ConsoleSetup;
import dev.posthorn.console.GeneratedToken;
import dev.posthorn.console.HttpDesk;
import dev.posthorn.console.Retention;
import dev.posthorn.event.PosthornException;
import dev.posthorn.operations.Health;
import dev.posthorn.operations.RelayMetrics;
import dev.posthorn.postgres.InboxRetention;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** The console of a demo, on this host only, while the demo runs. */
final class DemoConsole implements AutoCloseable {

    /** What it may use at once, beside what the demo does. */
    static final int CONNECTIONS = 3;

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int ANY = 0;

    private final Health health = new Health(Clock.systemUTC(), new Health.Limits(LONG, LONG, LONG, Optional.empty()));
    private final GeneratedToken generated = new GeneratedToken();
    private final Console console;
    private final HttpDesk desk;

    /** At that port, or at any that is free if it is taken. */
    DemoConsole(int port) {
        console = new Console(new ConsoleSetup(
                generated.tokens(),
                health::report,
                () -> "",
                new ConsoleSetup.ProcessFacts(
                        "demo",
                        JsonNodeFactory.instance::objectNode,
                        new Retention(Duration.ofDays(30), null, InboxRetention.standard(), Duration.ZERO),
                        Optional.empty())));
        desk = open(port);
        generated.keep(desk.port());
    }

    private HttpDesk open(int port) {
        try {
            return HttpDesk.open(at(port), console);
        } catch (PosthornException taken) {
            return HttpDesk.open(at(ANY), console);
        }
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Returns the address of the page with the token, so that the link works at once. */
    String address() {
        return generated.link("http://127.0.0.1:" + desk.port() + "/");
    }

    void look(DataSource database) {
        console.open(database, Schema.DEFAULT);
    }

    void watch(Relay relay) {
        RelayMetrics unused = new RelayMetrics(new SimpleMeterRegistry(), DemoDatabase.ROUTE, Clock.systemUTC());
        health.watch(DemoDatabase.ROUTE, relay::status, relay::overdue, unused.pulse());
    }

    @Override
    public void close() {
        console.close();
        desk.close();
        generated.close();
    }
}
