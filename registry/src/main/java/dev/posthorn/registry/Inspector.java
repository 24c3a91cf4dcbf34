package dev.posthorn.registry;

import dev.posthorn.event.Event;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides by the mode what becomes of an event, and warns where that is all that is asked for. Thread-safe. */
final class Inspector {

    private static final Logger LOG = LoggerFactory.getLogger(Inspector.class);
    private static final int MOST_KINDS = 10_000;

    private final Registry registry;
    private final String when;
    private final Map<String, AtomicLong> warned = new ConcurrentHashMap<>();

    /** For one place where events are checked. */
    Inspector(Registry registry, String when) {
        this.registry = registry;
        this.when = when;
    }

    /** Whether the event is to be looked at. */
    boolean isDue(Event event) {
        return !registry.isOffForSome() || registry.modeFor(event) != Mode.OFF;
    }

    /** Whether the event may not pass, for the rules that it breaks. */
    boolean refuses(Event event, List<Violation> found) {
        if (found.isEmpty() || registry.modeFor(event) == Mode.STRICT) {
            return !found.isEmpty();
        }
        warn(event, found);
        return false;
    }

    /** The first of a kind, and each that doubles their number: a wrong producer must not fill the disk. */
    private void warn(Event event, List<Violation> found) {
        String kind = event.domain() + "/" + event.type() + " " + found.get(0).rule();
        if (warned.size() >= MOST_KINDS) {
            warned.clear();
        }
        long count = warned.computeIfAbsent(kind, any -> new AtomicLong()).incrementAndGet();
        if (Long.bitCount(count) == 1) {
            LOG.warn(
                    "{} breaks the registry at {}: {}. It passes because the mode is warn; {} of this kind so far",
                    event,
                    when,
                    found,
                    count);
        }
    }
}
