package dev.posthorn.inbox;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Port: what all members of a consumer, and its operators, know of each other. Throws {@link InboxException} when out of
 * reach. Thread-safe.
 *
 * @param <T> what handlers work in
 */
public interface ConsumerStore<T> {

    /** Stores how a member is, and its handlers; returns how its consumer is. */
    ConsumerState report(ConsumerReport report);

    /** The member has ended. */
    void leave(String consumer, String member);

    /**
     * Dead letters that somebody sent back to this consumer, the oldest of each key and handler only, so that a key's come
     * in their order.
     */
    List<Redriven> redriven(String consumer, int limit);

    /**
     * Takes a redriven letter within what its handler works in: once that is kept, the letter is handled. Waits for others who
     * have it; false if it is no longer there to be taken.
     */
    boolean take(T transaction, UUID letter);

    /** A redriven letter is dead again, for this reason. */
    void deadAgain(UUID letter, String reason);

    /** Where members hand events over to each other; empty if they cannot. */
    Optional<HandoverStore> handovers();
}
