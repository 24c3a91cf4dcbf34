package dev.posthorn.registry;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All versions of one type of one domain. */
final class Versions {

    private final TreeMap<String, KnownType> byNumber = new TreeMap<>();
    private final KnownType newest;

    private Versions(KnownType newest) {
        this.newest = newest;
    }

    /** From the oldest on; at least one. */
    static Versions of(List<EventType> types) {
        Versions versions = new Versions(KnownType.of(types.get(types.size() - 1)));
        for (EventType type : types) {
            if (versions.byNumber.put(Integer.toString(type.version()), KnownType.of(type)) != null) {
                throw new PosthornException(
                        type.name() + " is in the registry twice. Remove one, or give it another version.");
            }
        }
        return versions;
    }

    /** Null if there is none. */
    @Nullable
    KnownType of(Event event) {
        if (event.headers().isEmpty()) {
            return newest;
        }
        String number = event.headers().get(EventType.VERSION_HEADER);
        return number == null ? newest : byNumber.get(number);
    }

    Violation unknown(Event event) {
        return new Violation(
                Rule.UNKNOWN_VERSION,
                "header " + EventType.VERSION_HEADER,
                "is \"" + event.headers().get(EventType.VERSION_HEADER) + "\", and the registry has "
                        + String.join(", ", byNumber.keySet()));
    }
}
