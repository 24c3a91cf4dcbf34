package dev.posthorn.relay;

import dev.posthorn.transport.Outcome;
import java.time.Duration;
import java.util.Optional;

/** The consequences of one outcome: for the breaker always, for the event if it is still waited for. Under the relay's lock. */
final class Consequences implements Outcome.Cases<Boolean> {

    private final Workshop shop;
    private final Sent sent;
    private final Item item;
    private final boolean waitedFor;
    private final long now;

    Consequences(Workshop shop, Sent sent, boolean waitedFor, long now) {
        this.shop = shop;
        this.sent = sent;
        this.item = sent.item;
        this.waitedFor = waitedFor;
        this.now = now;
    }

    @Override
    public Boolean accepted() {
        outages().accepted(sent, now);
        shop.counters().published++;
        if (waitedFor) {
            item.lane.outcomes.confirmed(item);
        }
        return waitedFor;
    }

    @Override
    public Boolean refused(String reason) {
        outages().refused();
        if (waitedFor) {
            item.lane.outcomes.dead(item, "refused", reason);
        }
        return waitedFor;
    }

    @Override
    public Boolean failed(String reason) {
        return failed(reason, Optional.empty());
    }

    @Override
    public Boolean failed(String reason, Duration pause) {
        return failed(reason, Optional.of(pause));
    }

    private Boolean failed(String reason, Optional<Duration> pause) {
        if (waitedFor) {
            item.doubt = null;
            item.lane.outcomes.retry(item, "failed", reason, pause);
        }
        if (tooManyBlocked()) {
            outages().open(sent, shop.config().maxBlockedKeys() + " keys of a lane are blocked: " + reason, now);
        } else {
            outages().answered(now);
        }
        return waitedFor;
    }

    @Override
    public Boolean unavailable(String reason) {
        outages().unavailable(sent, reason, now);
        if (waitedFor) {
            item.lane.outcomes.unavailable(item);
        }
        return waitedFor;
    }

    @Override
    public Boolean unknown(String reason) {
        if (!waitedFor) {
            outages().abandoned(sent, reason, now);
            return false;
        }
        boolean alone = outages().failsAlone(item) || !shop.isOn(Safeguard.ONLY_WHAT_FAILS_ALONE_IS_CHARGED);
        item.doubt = outages().doubt(item, now);
        if (alone) {
            charge(reason);
        } else {
            outages().unknown(sent, reason, now);
            item.lane.outcomes.resend(item, outages().pause(item.doubt));
        }
        return true;
    }

    private void charge(String reason) {
        item.lane.outcomes.retry(item, "unknown", reason, Optional.empty());
        if (outages().isOpen() || tooManyBlocked()) {
            outages().open(sent, reason, now);
        }
    }

    private boolean tooManyBlocked() {
        return item.lane.blocked.size() >= shop.config().maxBlockedKeys();
    }

    private OutageDetector outages() {
        return shop.sendQueue().outages;
    }
}
