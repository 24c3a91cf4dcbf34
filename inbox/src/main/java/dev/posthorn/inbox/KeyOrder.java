package dev.posthorn.inbox;

import java.util.ArrayList;
import java.util.List;

/**
 * What is known of the way on which events come: whether those of a key can overtake each other on it.
 *
 * @param serialised whether whoever emits two events of a key does it one after the other, by the option SERIALISED or a lock
 *     of their own. Otherwise the second may be committed and published before the first
 * @param heldAfterDead whether the key waits when one of its events is dead on the route. Otherwise the later ones pass it, and
 *     it comes behind them when it is redriven
 */
public record KeyOrder(boolean serialised, boolean heldAfterDead) {

    /** Nothing of a key overtakes anything. */
    public static final KeyOrder KEPT = new KeyOrder(true, true);

    /** How events of a key can overtake each other; empty if they can not. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (!serialised) {
            faults.add("its keys are not serialised (emit them with SERIALISED, or under a lock of your own)");
        }
        if (!heldAfterDead) {
            faults.add("a key goes on after a dead event (run the route with after-dead hold)");
        }
        return faults;
    }
}
