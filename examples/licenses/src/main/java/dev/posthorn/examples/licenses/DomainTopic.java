package dev.posthorn.examples.licenses;

import dev.posthorn.postgres.PostgresPruner;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.registry.CheckedPublisher;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transports.googlepubsub.Endpoint;
import dev.posthorn.transports.googlepubsub.GooglePubSubTransport;
import java.time.Duration;
import javax.sql.DataSource;

/** The way from the log to the one topic of all events. */
public final class DomainTopic {

    /** The name of the route. */
    public static final String ROUTE = "licenses";

    /** After publication. */
    private static final Duration RETENTION = Duration.ofDays(30);

    private DomainTopic() {}

    public static GooglePubSubTransport transport(Variables variables, Endpoint endpoint) {
        return new GooglePubSubTransport(variables.topology(endpoint));
    }

    /** Starts a relay with the design's figures. Any number may run: each has lanes of its own, so none publishes what another does. */
    public static Relay relay(DataSource database, Publisher topic, String name, Variables variables) {
        return relay(database, topic, name, variables, variables.retries());
    }

    /** The same with other pauses between attempts. The publisher is the topic's own; types and payloads are checked here. */
    public static Relay relay(
            DataSource database, Publisher topic, String name, Variables variables, RetryPolicy retries) {
        Route route = Route.named(ROUTE)
                .withFilter(RouteFilter.ofDomains(Licenses.DOMAIN))
                .fromBeginning();
        return Relay.start(
                PostgresRelayStores.open(database, Schema.DEFAULT, route, name),
                new CheckedPublisher(topic, EventTypes.REGISTRY),
                variables.relay(),
                RoutePolicy.standard().withRetry(retries));
    }

    // docs:start:licenses-cleanup
    /** In place of the design's DELETE: run it now and then, in any process. It removes what was published 30 days ago. */
    public static PostgresPruner cleanup(DataSource database) {
        return new PostgresPruner(database, Schema.DEFAULT, RETENTION);
    }
    // docs:end:licenses-cleanup
}
