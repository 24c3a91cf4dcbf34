package dev.posthorn.relay;

import java.util.Optional;

/**
 * Port: the routes of one log, for those who relay or handle its events. Throws {@link StoreException} when out of reach.
 *
 * @param <T> how the database hands its transaction to a {@link Handler}
 */
public interface RouteStores<T> {

    /** The stores of one route for one relay. */
    record Opened<T>(Relay.Stores stores, HandlingStore<T> handling) {}

    /**
     * Opens a route; one that is not there is created. Throws {@link dev.posthorn.event.PosthornException} if it is there
     * with another filter, or retired.
     *
     * @param relay the name of the relay, unique among those of the route
     */
    Opened<T> open(Route route, String relay);

    /** Whether there is a route that is not retired. */
    boolean hasLiveRoute();

    /** The filter of the route of that name, or empty if there is none. */
    Optional<RouteFilter> filterOf(String route);
}
