package dev.posthorn.outbox;

import java.util.List;
import java.util.UUID;

/**
 * What one emit did, in the order of its events.
 *
 * @param emitted the ids that are new to the log, if the transaction commits
 * @param known the ids that were there already, or that came a second time in the same call
 */
public record Emission(List<UUID> emitted, List<UUID> known) {

    public static final Emission NOTHING = new Emission(List.of(), List.of());

    public Emission {
        emitted = List.copyOf(emitted);
        known = List.copyOf(known);
    }
}
