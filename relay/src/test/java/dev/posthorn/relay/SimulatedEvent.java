package dev.posthorn.relay;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventFields;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One row of the simulated log and all that the simulation knows about it, in and outside the database. */
final class SimulatedEvent {

    enum Fate {
        OPEN,
        COMMITTED,
        ABORTED,
        /** Not part of the history that a failover kept. */
        LOST
    }

    final int number;
    final long seq;
    final @Nullable String key;
    final Event event;
    final int omittedBytes;
    /** Events of the key that must arrive first: committed before this was emitted, or earlier in its transaction. */
    final List<SimulatedEvent> before = new ArrayList<>();
    /** When it may be published, by the database's clock in nanoseconds; 0 if at once. */
    final long deliverAfter;

    /** Another one where keys are hashed otherwise. */
    int lane;

    long tx;
    Fate fate = Fate.OPEN;

    /** How many commits there had been when it was committed. */
    long committedAt;

    boolean pruned;
    final @Nullable EventOnRoute[] onRoutes = new EventOnRoute[SimulatedRoutes.MOST];

    SimulatedEvent(
            int number, long seq, int lane, @Nullable String key, long deliverAfter, int omittedBytes, String domain) {
        this.number = number;
        this.seq = seq;
        this.lane = lane;
        this.key = key;
        this.deliverAfter = deliverAfter;
        this.omittedBytes = omittedBytes;
        this.event = Event.restored(new EventFields(
                new UUID(0, number),
                domain,
                "thing",
                key,
                null,
                EventFields.Labels.NONE,
                new EventFields.Body(
                        Map.of(),
                        "text/plain",
                        new byte[0],
                        Instant.EPOCH,
                        deliverAfter == 0 ? null : Instant.EPOCH.plusNanos(deliverAfter))));
    }

    boolean isCommitted() {
        return fate == Fate.COMMITTED;
    }

    boolean isScheduled() {
        return deliverAfter != 0;
    }

    @Override
    public String toString() {
        return "e" + number + "(seq " + seq + ", tx " + tx + ", " + (key == null ? "no key" : key) + ")";
    }
}
