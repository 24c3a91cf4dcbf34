package dev.posthorn.operations;

import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresDestinations;
import dev.posthorn.relay.Loop;
import dev.posthorn.transport.SubscriberCheck;
import dev.posthorn.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks brokers now and then whether anybody subscribes to what the routes of this process publish, writes the answer down for
 * status and doctor, and tells it as warnings. Brokers that do not say are not mentioned. Thread-safe.
 */
public final class DestinationWatch {

    private static final Logger LOG = LoggerFactory.getLogger(DestinationWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(30);

    private record Watched(String route, String place, SubscriberCheck check) {}

    private final PostgresDestinations destinations;
    private final Map<String, Watched> watched = new ConcurrentHashMap<>();
    private volatile List<String> warnings = List.of();

    public DestinationWatch(PostgresDestinations destinations) {
        this.destinations = destinations;
    }

    /** From now on also this route, if its transport can tell. */
    public void watch(String route, String place, Transport transport) {
        if (transport instanceof SubscriberCheck check) {
            watched.put(route, new Watched(route, place, check));
        }
    }

    /** What was found last, a sentence for each. */
    public List<String> warnings() {
        return warnings;
    }

    /** A thread that looks every 30 seconds, the first time at once. */
    public Loop start() {
        return new Loop("posthorn-destinations", () -> {
                    runOnce();
                    return EVERY;
                })
                .start();
    }

    public void runOnce() {
        List<String> found = new ArrayList<>();
        Map<String, Set<String>> unheard = new HashMap<>();
        for (Watched one : watched.values()) {
            try {
                Set<String> names = unheard.computeIfAbsent(one.place(), place -> look(one));
                if (!names.isEmpty()) {
                    found.add("nobody subscribes to " + String.join(", ", new TreeSet<>(names)) + ", where route "
                            + one.route() + " publishes");
                }
            } catch (PosthornException silent) {
                LOG.debug("Route {}: {}", one.route(), silent.getMessage());
            }
        }
        if (!found.equals(warnings)) {
            found.forEach(warning -> LOG.warn("Events may reach nobody: {}", warning));
        }
        warnings = List.copyOf(found);
    }

    private Set<String> look(Watched one) {
        Set<String> names = one.check().unsubscribed(destinations.ofEvents(one.place()));
        destinations.unheard(one.place(), names);
        return names;
    }
}
