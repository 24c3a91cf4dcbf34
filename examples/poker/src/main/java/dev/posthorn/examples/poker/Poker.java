package dev.posthorn.examples.poker;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventBuilder;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RetryPolicy;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The design's three domains, their types of events, and the relay that publishes them. */
public final class Poker {

    /** How names at the broker begin, and the name of the route. */
    public static final String PREFIX = "poker";

    public static final String PLAYER = "player";
    public static final String TABLE = "table";
    public static final String HAND = "hand";

    public static final String FUNDS_RESERVED = "funds-reserved";
    public static final String FUNDS_REFUSED = "funds-refused";
    public static final String FUNDS_TRANSFERRED = "funds-transferred";

    public static final String SEAT_REQUESTED = "seat-requested";
    public static final String PLAYER_SEATED = "player-seated";
    public static final String SEAT_RELEASED = "seat-released";
    public static final String HAND_ENDED = "hand-ended";

    public static final String CARDS_DEALT = "cards-dealt";
    public static final String ACTION_TAKEN = "action-taken";
    public static final String HAND_COMPLETE = "hand-complete";

    private Poker() {}

    /** An event of an aggregate: its key is the aggregate, its sequence the aggregate's version. */
    static EventBuilder event(String domain, String type, Aggregate aggregate) {
        return Event.of(domain, type)
                .key(aggregate.id())
                .aggregate(domain, aggregate.id())
                .sequence(aggregate.version());
    }

    /** The same, caused by another one, or by nothing but a request. */
    static EventBuilder following(@Nullable Event cause, String domain, String type, Aggregate aggregate) {
        EventBuilder event = event(domain, type, aggregate);
        return cause == null
                ? event
                : event.correlationId(cause.correlationId().orElse(cause.id().toString()))
                        .causationId(cause.id().toString())
                        .traceparent(cause.traceparent().orElse(null));
    }

    /** Starts a relay of all three domains, to any transport. A key goes on only when its dead event was dealt with. */
    public static Relay relay(DataSource database, Publisher publisher, String name, RetryPolicy retries) {
        Route route = Route.named(PREFIX)
                .withFilter(RouteFilter.ofDomains(PLAYER, TABLE, HAND))
                .fromBeginning();
        return Relay.start(
                PostgresRelayStores.open(database, Schema.DEFAULT, route, name),
                publisher,
                RelayConfig.standard(),
                policy().withRetry(retries));
    }

    static RoutePolicy policy() {
        return RoutePolicy.standard().withAfterDead(RoutePolicy.AfterDead.HOLD);
    }
}
