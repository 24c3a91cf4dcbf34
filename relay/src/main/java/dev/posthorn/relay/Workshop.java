package dev.posthorn.relay;

import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** What every lane of a relay shares. */
record Workshop(
        RelayConfig config,
        RoutePolicy policy,
        RouteFilter filter,
        SendQueue sendQueue,
        Counters counters,
        LongSupplier clock,
        RandomGenerator random,
        Set<Safeguard> off) {

    long now() {
        return clock.getAsLong();
    }

    boolean isOn(Safeguard safeguard) {
        return off.isEmpty() || !off.contains(safeguard);
    }
}
