package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import javax.sql.DataSource;

/** A relay of one route and what its destination accepted. */
final class PublishedRoute implements AutoCloseable {

    /** The destination never takes events of this type. */
    static final String POISON = "poison";

    private final String route;
    private final Predicate<Event> takes;
    private final RecordingTransport transport;
    private final Relay relay;

    private PublishedRoute(DataSource database, String route, Predicate<Event> takes) {
        this.route = route;
        this.takes = takes;
        this.transport = RecordingTransport.answering((event, attempt) -> answer(event));
        this.relay = Relay.start(
                PostgresRelayStores.open(database, Schema.DEFAULT, route, "relay-" + route),
                transport.publisher(),
                RelayConfig.standard().withLeaseTtl(Duration.ofSeconds(3)),
                RoutePolicy.standard().withRetry(RetryPolicy.fixed(100_000, Duration.ofMillis(100))));
    }

    /** With a destination that for now takes only such events. */
    static PublishedRoute start(DataSource database, String route, Predicate<Event> takes) {
        return new PublishedRoute(database, route, takes);
    }

    private Outcome answer(Event event) {
        if (event.type().equals(POISON)) {
            return Outcome.refused("poison");
        }
        return takes.test(event) ? Outcome.accepted() : Outcome.failed("not now");
    }

    String route() {
        return route;
    }

    /** In the order in which they were accepted, repeats included. */
    List<Event> accepted() {
        return transport.events().stream()
                .filter(event -> !event.type().equals(POISON) && takes.test(event))
                .toList();
    }

    /** Stops in order and tells what was accepted. */
    List<Event> stop() {
        relay.close();
        return accepted();
    }

    @Override
    public void close() {
        relay.close();
    }
}
