package dev.posthorn.examples.transfers;

import dev.posthorn.codecs.Envelopes;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.NameTemplate;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transports.snssqs.AwsAccess;
import dev.posthorn.transports.snssqs.SnsSqsConfig;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** The design's names and figures: ladder, RETRY_MAX, batch, concurrency, visibility. */
public final class Profile {

    /** The name of the route. */
    public static final String ROUTE = "transfers";

    /** The topic, which the design calls events.transfers.fifo; SNS allows no dots. */
    public static final String TOPIC = "events-transfers";

    private static final int RETRY_MAX = 10;
    private static final int BATCH = 50;
    private static final int CONCURRENCY = 10;
    private static final int PREFETCH = 100;
    /** How long a message that somebody reads is hidden from others; renewed while it is handled. */
    static final Duration VISIBILITY = Duration.ofSeconds(60);

    private static final Duration POLL = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private Profile() {}

    /** 1 s, 5 s, 30 s, 2 min, 10 min, 1 h, and FAILED after the tenth attempt. */
    public static RetryPolicy ladder() {
        return RetryPolicy.ladder(
                RETRY_MAX,
                List.of(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(10),
                        Duration.ofHours(1)));
    }

    // docs:start:transfers-topology
    /** One topic, a queue for each service called as the service, and messages wrapped by SNS as the design's mock reads them. */
    public static SnsSqsConfig topology(AwsAccess access) {
        SnsSqsConfig standard = SnsSqsConfig.of(access);
        Names names = standard.names();
        return standard.names(new Names(
                        names.prefix(),
                        NameTemplate.ofEvents(TOPIC),
                        NameTemplate.ofSubscribers("{subscriber}"),
                        NameTemplate.ofSubscribers("{subscriber}-dlq")))
                .rawDelivery(false)
                .limits(new SnsSqsConfig.Limits(PREFETCH, CONCURRENCY, RETRY_MAX))
                .timing(timing(VISIBILITY));
    }
    // docs:end:transfers-topology

    static SnsSqsConfig.Timing timing(Duration visibility) {
        return new SnsSqsConfig.Timing(ANSWER, visibility, POLL);
    }

    /** Starts a relay of the domains transfers and directory. */
    public static Relay relay(DataSource database, Publisher topic, String name, RetryPolicy retries) {
        Route route = Route.named(ROUTE)
                .withFilter(RouteFilter.ofDomains(Envelope.TRANSFERS, Envelope.DIRECTORY))
                .fromBeginning();
        return Relay.start(
                PostgresRelayStores.open(database, Schema.DEFAULT, route, name),
                topic,
                RelayConfig.standard().withPage(BATCH),
                RoutePolicy.standard().withRetry(retries));
    }

    /** Starts a member of a service. It uses up to eleven connections at once, and as many again for calls to the outside. */
    public static Consumer<Connection> consumer(
            Bus bus, Service service, DataSource database, EventHandler<Connection> handler) {
        Subscriber subscriber = Subscriber.named(service.queue())
                .domains(service.domains().toArray(String[]::new))
                .concurrency(CONCURRENCY)
                .prefetch(PREFETCH);
        if (!service.types().isEmpty()) {
            subscriber = subscriber.types(service.types().toArray(String[]::new));
        }
        return Consumer.start(
                Envelopes.around(bus, Envelope.FORM),
                ConsumerConfig.of(subscriber).retries(ladder()),
                Handlers.<Connection>none().onAll("main", handler),
                PostgresInbox.equipment(database, Schema.DEFAULT));
    }
}
