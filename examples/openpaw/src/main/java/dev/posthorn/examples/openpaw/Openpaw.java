package dev.posthorn.examples.openpaw;

import dev.posthorn.event.Event;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transports.redisstreams.RedisStreamsConfig;
import javax.sql.DataSource;

/** The design's names: domain, types of events, streams, and the relay between them. */
public final class Openpaw {

    /** Of all events and commands; also the name of the route. */
    public static final String DOMAIN = "openpaw";

    public static final String VERSION_CREATED = "asset.version.created";
    public static final String REWARD_SETTLED = "reward.settled";

    /** A command. */
    public static final String SETTLE_REWARD = "settle-reward";

    /** The design asks for small batches first. */
    private static final int BATCH = 50;

    private Openpaw() {}

    // docs:start:openpaw-topology
    /** A stream for each type of event, such as {@code openpaw:asset.version.created}, and groups called as their subscribers. */
    public static RedisStreamsConfig topology(String redis) {
        return RedisStreamsConfig.at(redis)
                .names(Names.withPrefix(DOMAIN)
                        .events("{prefix}:{type}")
                        .subscribers("{subscriber}")
                        .deadLetters("{prefix}:dead"))
                .shards(1); // one plain stream, as the design has it; further members of a subscriber stand by
    }
    // docs:end:openpaw-topology

    /** The name of the stream of a type. */
    public static String stream(String type) {
        return DOMAIN + ":" + type;
    }

    /** Starts a relay of the domain. */
    public static Relay relay(DataSource database, Publisher streams, String name, RetryPolicy retries) {
        Route route =
                Route.named(DOMAIN).withFilter(RouteFilter.ofDomains(DOMAIN)).fromBeginning();
        return Relay.start(
                PostgresRelayStores.open(database, Schema.DEFAULT, route, name),
                streams,
                RelayConfig.standard().withPage(BATCH),
                RoutePolicy.standard().withRetry(retries));
    }

    /** An event about the same asset that another one has caused: of the same tenant, request and key. */
    static Event following(Event cause, String type, String json) {
        return Event.of(DOMAIN, type)
                .key(cause.key().orElse(null))
                .aggregate("asset", AssetVersion.of(cause).asset())
                .tenant(cause.tenant().orElse(null))
                .correlationId(cause.correlationId().orElse(null))
                .causationId(cause.id().toString())
                .traceparent(cause.traceparent().orElse(null))
                .json(json)
                .build();
    }
}
