package dev.posthorn.event;

import java.time.Clock;
import java.util.UUID;
import java.util.function.Supplier;

/** Starts events with an id source and a clock of one's own. Thread-safe if both are. */
public final class EventFactory {

    private static final EventFactory SYSTEM = new EventFactory(UuidV7.system(), Clock.systemUTC());

    private final Supplier<UUID> ids;
    private final Clock clock;

    public EventFactory(Supplier<UUID> ids, Clock clock) {
        this.ids = ids;
        this.clock = clock;
    }

    static EventFactory system() {
        return SYSTEM;
    }

    /** Starts an event of this domain and type. */
    public EventBuilder of(String domain, String type) {
        return new EventBuilder(ids.get(), domain, type, clock.instant());
    }
}
