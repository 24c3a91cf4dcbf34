package dev.posthorn.transport;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Who receives, and which events. All members of a subscriber have the same name, domains and types.
 *
 * @param name stable; it names queues and positions that outlive the process
 * @param domains events of these domains; empty: of all
 * @param types events of these types, within the domains; empty: of all
 * @param limits how much at once
 */
public record Subscriber(String name, Set<String> domains, Set<String> types, Limits limits) {

    /** Stands for the transport's own default. */
    public static final int DEFAULT_PREFETCH = 0;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    /**
     * How much one member takes on.
     *
     * @param concurrency how many deliveries are handed over at once, each on a thread of its own (4). Too low: slow
     *     handlers hold up other keys. Too high: more connections than the handlers' database likes.
     * @param prefetch how many events may be here and not settled, {@link #DEFAULT_PREFETCH} for the transport's own
     *     number. Too low: a round trip for each event. Too high: members share unevenly, and a crash redelivers more.
     * @param drainTime how long closing waits for handlers that run (10 s). Too low: their events come again.
     */
    public record Limits(int concurrency, int prefetch, Duration drainTime) {

        public static final Limits STANDARD = new Limits(4, DEFAULT_PREFETCH, Duration.ofSeconds(10));

        public Limits {
            if (concurrency < 1 || prefetch < 0 || drainTime.isNegative()) {
                throw new PosthornException("A subscriber needs a concurrency of at least 1, and a prefetch and a drain"
                        + " time that are not negative, but has " + concurrency + ", " + prefetch + " and " + drainTime
                        + ".");
            }
        }

        /** The prefetch, with the transport's own where none was chosen. */
        public int prefetchOr(int transportDefault) {
            return prefetch == DEFAULT_PREFETCH ? transportDefault : prefetch;
        }
    }

    public Subscriber {
        if (!NAME.matcher(name).matches()) {
            throw new PosthornException("A subscriber's name has 1 to 100 letters, digits and . _ - and begins with a"
                    + " letter or digit, but this one is \"" + name + "\".");
        }
        domains = Collections.unmodifiableSet(new TreeSet<>(domains));
        types = Collections.unmodifiableSet(new TreeSet<>(types));
    }

    /** Of all events, with standard limits. */
    public static Subscriber named(String name) {
        return new Subscriber(name, Set.of(), Set.of(), Limits.STANDARD);
    }

    public Subscriber domains(String... domains) {
        return new Subscriber(name, Set.of(domains), types, limits);
    }

    public Subscriber types(String... types) {
        return new Subscriber(name, domains, Set.of(types), limits);
    }

    public Subscriber concurrency(int concurrency) {
        return limits(new Limits(concurrency, limits.prefetch(), limits.drainTime()));
    }

    public Subscriber prefetch(int prefetch) {
        return limits(new Limits(limits.concurrency(), prefetch, limits.drainTime()));
    }

    public Subscriber drainTime(Duration drainTime) {
        return limits(new Limits(limits.concurrency(), limits.prefetch(), drainTime));
    }

    public Subscriber limits(Limits limits) {
        return new Subscriber(name, domains, types, limits);
    }

    public boolean wantsAll() {
        return domains.isEmpty() && types.isEmpty();
    }

    public boolean wants(Event event) {
        return (domains.isEmpty() || domains.contains(event.domain()))
                && (types.isEmpty() || types.contains(event.type()));
    }
}
