package dev.posthorn.transport;

import dev.posthorn.event.Event;
import java.util.HashSet;
import java.util.Set;

/**
 * Keeps the runs of one publish call: which keys have met an event that was not accepted, so that nothing of them goes
 * on. For {@link Publisher#longestRun publishers of runs}; used by one thread.
 */
public final class StoppedKeys {

    static final Outcome BEHIND = Outcome.failed("an event of its key before it did not go through");

    private Set<String> keys = Set.of();

    /** Settles the publication and returns true if its key is stopped. */
    public boolean withhold(Publication publication) {
        boolean stopped = !keys.isEmpty()
                && publication.event().key().filter(keys::contains).isPresent();
        if (stopped) {
            publication.settle(BEHIND);
        }
        return stopped;
    }

    /** This one was not accepted. */
    public void stop(Event event) {
        if (keys.isEmpty()) {
            keys = new HashSet<>();
        }
        event.key().ifPresent(keys::add);
    }
}
