package dev.posthorn.registry;

import org.jspecify.annotations.Nullable;

/**
 * A type of a registry, with what is made once for all its events.
 *
 * @param stamp of its contract; null if that has no identity, so that payloads are checked each time
 */
record KnownType(EventType type, @Nullable Stamp stamp) {

    static KnownType of(EventType type) {
        return new KnownType(type, type.contract().identity().map(Stamp::of).orElse(null));
    }
}
