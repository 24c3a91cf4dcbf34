package dev.posthorn.examples.transfers;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The rails by which payees are reached, remembered until the directory publishes a change. Thread-safe.
 *
 * <p>Each process has one and hears of every change by its own subscription, see {@link RouteUpdates}. An entry is asked for
 * again after five minutes in any case, which bounds how long a process that hears nothing can be wrong.
 */
public final class RouteCache {

    private static final Duration LONGEST = Duration.ofMinutes(5);

    private record Known(String rail, Instant until) {}

    private final UnaryOperator<String> directory;
    private final InstantSource clock;
    private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

    /** Asks the directory for what is not known. */
    public RouteCache(UnaryOperator<String> directory) {
        this(directory, InstantSource.system());
    }

    RouteCache(UnaryOperator<String> directory, InstantSource clock) {
        this.directory = directory;
        this.clock = clock;
    }

    public String routeTo(String payee) {
        @Nullable Known found = known.get(payee);
        if (found != null && isFresh(found)) {
            return found.rail();
        }
        return known.compute(payee, (key, before) -> before != null && isFresh(before) ? before : ask(key))
                .rail();
    }

    private boolean isFresh(Known entry) {
        return clock.instant().isBefore(entry.until());
    }

    private Known ask(String payee) {
        return new Known(directory.apply(payee), clock.instant().plus(LONGEST));
    }

    /** Forgets a route. Waits for a lookup of it that is running, whose answer may be from before the change. */
    void invalidate(String payee) {
        known.remove(payee);
    }
}
