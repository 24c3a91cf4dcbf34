package dev.posthorn.demo;

import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayStatus;
import dev.posthorn.transports.memory.MemorySubscription;
import java.time.Duration;

/**
 * Whether what is under way still has to be waited for.
 *
 * <p>It is over when everything has arrived and the relay has put that down; or when the relay has had nothing to do for
 * two seconds, as what is dead or lost never arrives; or when nothing has arrived for as long as the patience lasts.
 */
final class Drain {

    private static final long CALM_NANOS = Duration.ofSeconds(2).toNanos();

    private final Relay relay;
    private final MemorySubscription subscription;
    private final Arrivals arrivals;
    private final LagMeter lag;
    private final long patience;
    private final long begin = System.nanoTime();
    private long busyAt = begin;

    Drain(Relay relay, MemorySubscription subscription, Arrivals arrivals, LagMeter lag, Duration patience) {
        this.relay = relay;
        this.subscription = subscription;
        this.arrivals = arrivals;
        this.lag = lag;
        this.patience = patience.toNanos();
    }

    boolean isOver() {
        long now = System.nanoTime();
        boolean busy = isBusy();
        boolean arrived = lag.underWay() == 0;
        if (busy) {
            busyAt = now;
        }
        long lastProgress = arrivals.lastAt() - begin > 0 ? arrivals.lastAt() : begin;
        long quiet = now - lastProgress;
        return arrived ? !busy || quiet > CALM_NANOS : now - busyAt > CALM_NANOS || quiet > patience;
    }

    private boolean isBusy() {
        RelayStatus status = relay.status();
        return status.lanes().isEmpty()
                || status.held() > 0
                || status.inFlight() > 0
                || status.blockedKeys() > 0
                || status.outage().isPresent()
                || subscription.queued() > 0;
    }
}
