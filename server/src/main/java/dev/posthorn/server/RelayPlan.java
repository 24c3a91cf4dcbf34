package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Disclosure;
import dev.posthorn.console.GeneratedToken;
import dev.posthorn.console.Json;
import dev.posthorn.console.Retention;
import dev.posthorn.console.Role;
import dev.posthorn.console.Tokens;
import dev.posthorn.registry.Registry;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transport.DestinationAddress;
import dev.posthorn.transport.NameSettings;
import dev.posthorn.transport.Provision;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All that a relay process is to do.
 *
 * @param name of its relays, one for each route
 */
record RelayPlan(
        String name,
        Database database,
        Start start,
        RelayConfig config,
        List<RoutePlan> routes,
        Pruning pruning,
        Http http) {

    private static final int LANE_LIMIT_IN_BATCHES = 4;

    /** So many events in one read per lane, and four times as many under way. */
    static RelayConfig withBatch(RelayConfig config, int batch) {
        return config.withPage(batch)
                .withLane(new RelayConfig.LaneLimit(
                        batch * LANE_LIMIT_IN_BATCHES, config.lane().bytes()));
    }

    /** The same, and if so routes may publish elsewhere than before. */
    RelayPlan confirmed(boolean confirmed) {
        Start same = new Start(start.migrating(), start.patience(), start.memory(), confirmed);
        return new RelayPlan(name, database, same, config, routes, pruning, http);
    }

    /**
     * What happens before it publishes.
     *
     * @param migrating whether the schema is brought up to date
     * @param patience how long for a database that is not there; null: without end
     * @param memory the megabytes that all routes share; empty: a part of the heap
     * @param confirmed whether routes may publish elsewhere than before
     */
    record Start(Migrating migrating, @Nullable Duration patience, Optional<Integer> memory, boolean confirmed) {}

    /**
     * Whether the schema is brought up to date at the start.
     *
     * @param wanted empty: only an empty database gets the schema
     * @param setting what a person sets to have it brought up to date
     */
    record Migrating(Optional<Boolean> wanted, String setting) {}

    /**
     * A route and where its events go.
     *
     * @param filters whether a filter was asked for; without one a route is taken as it is
     * @param transport names one of this process, so that routes can share it
     * @param passage what its events go through on their way there
     */
    record RoutePlan(Route route, boolean filters, TransportPlan transport, RoutePolicy policy, Passage passage) {}

    /** A destination that is not open yet. */
    record TransportPlan(
            String name,
            TransportChoice choice,
            String prefix,
            Layout layout,
            NameSettings names,
            Provision provision,
            Map<String, String> properties) {

        /** Where it publishes, without secrets. */
        String place() {
            return DestinationAddress.of(choice.address(), prefix)
                    + (layout == Layout.STANDARD ? "" : ", layout " + layout.word())
                    + names;
        }
    }

    /**
     * When events leave the log.
     *
     * @param every how often to look; empty: never in this process
     */
    record Pruning(Optional<Duration> every, Retention retention) {}

    /**
     * Health, metrics and the console.
     *
     * @param address where they are answered; empty: nowhere
     * @param access who is answered
     * @param database which database the console works in, with a login of its own perhaps; null: as the relays
     * @param told what the console tells of the process
     * @param tenants those that have metrics of their own
     */
    record Http(
            Optional<InetSocketAddress> address,
            Access access,
            @Nullable Database database,
            Told told,
            Duration figuresEvery,
            Set<String> tenants,
            HealthLimits limits) {

        /** Nothing is answered. */
        static final Http OFF = new Http(
                Optional.empty(),
                new Access(Optional.empty(), List.of(), false),
                null,
                Told.NOTHING,
                Duration.ofSeconds(5),
                Set.of(),
                HealthLimits.STANDARD);
    }

    /**
     * The callers that are answered.
     *
     * @param metricsToken the token of a scrape
     * @param tokens the tokens of other callers, by their hashes
     * @param publicMetrics whether a scrape needs no token
     */
    record Access(Optional<String> metricsToken, List<Tokens.Token> tokens, boolean publicMetrics) {

        private static final String METRICS = "metrics";

        boolean isConfigured() {
            return metricsToken.isPresent() || !tokens.isEmpty();
        }

        /** Returns the configured tokens, or the generated one if none is configured. */
        Tokens tokensOr(GeneratedToken generated) {
            List<Tokens.Token> all = new ArrayList<>(tokens);
            metricsToken.ifPresent(plain -> all.add(new Tokens.Token(METRICS, Role.METRICS, Tokens.hashOf(plain))));
            Tokens found = isConfigured() ? Tokens.of(all) : generated.tokens();
            return found.withPublicMetrics(publicMetrics);
        }
    }

    /**
     * What the console tells of the process.
     *
     * @param config every setting, without secrets
     * @param registry what events are checked against
     * @param disclosure how much of payloads and headers who is no admin sees
     */
    record Told(Supplier<ObjectNode> config, Optional<Registry> registry, Disclosure disclosure) {

        static final Told NOTHING = new Told(Json::object, Optional.empty(), Disclosure.WHOLE);
    }

    /**
     * From when on something is told.
     *
     * @param standstill how long events may wait in a lane that does not move
     * @param consumerLag how far a consumer may be behind; empty: any time
     */
    record HealthLimits(Duration standstill, Optional<Duration> consumerLag) {

        static final HealthLimits STANDARD = new HealthLimits(Duration.ofMinutes(5), Optional.empty());
    }
}
