package dev.posthorn.transport;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How often each verdict was given. Touched under the handout's lock. */
final class Tally {

    private long done;
    private long retried;
    private long rejected;
    private long undecodable;
    private @Nullable String lastFailure;

    void done(Slot slot) {
        done++;
        settled(slot, null);
    }

    void retried(String reason) {
        retried++;
        lastFailure = reason;
    }

    void rejected(Slot slot, String reason) {
        rejected++;
        settled(slot, reason);
    }

    private void settled(Slot slot, @Nullable String failure) {
        undecodable += slot.isUndecodable() ? 1 : 0;
        lastFailure = failure;
    }

    Subscription.Status status(int unsettled, Optional<String> outage) {
        return new Subscription.Status(
                new Subscription.Totals(done, retried, rejected, undecodable),
                unsettled,
                outage.or(() -> Optional.ofNullable(lastFailure)));
    }
}
