package dev.posthorn.transports.memory;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Arrival;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An accepted event of one group, and which member has it. Its fields change under the lock of the group only, before it is handed on. */
final class MemoryArrival implements Arrival {

    private final MemoryGroup group;
    final Event event;
    final long number;
    private int deliveries;
    private @Nullable MemorySubscription member;

    MemoryArrival(MemoryGroup group, Event event, long number) {
        this.group = group;
        this.event = event;
        this.number = number;
    }

    void given(MemorySubscription to) {
        deliveries++;
        member = to;
        to.assigned++;
    }

    void takenFrom() {
        Objects.requireNonNull(member).assigned--;
    }

    /** Deliveries are none of a handler's attempts. */
    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public Map<String, String> metadata() {
        return Map.of("memory.number", Long.toString(number), DELIVERIES, Integer.toString(deliveries));
    }

    @Override
    public void done() {
        group.settled(this);
    }

    @Override
    public void reject(String reason, Map<String, String> about) {
        Objects.requireNonNull(member).dead(event, reason, about);
        group.settled(this);
    }

    /** Within a process nothing is won by taking it back. */
    @Override
    public boolean retry(Duration after, String reason) {
        return false;
    }

    @Override
    public void giveBack() {
        group.giveBack(this);
    }
}
