package dev.posthorn.commands;

import dev.posthorn.transport.Message;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Port: which commands are known, and who has their workflow runs. Each method is a transaction of its own. Thread-safe.
 *
 * <p>Throws {@link CommandStoreException} if it can not be reached.
 */
public interface CommandStore {

    /** Who asks, and for how long at first. */
    record Lease(String owner, Duration time) {}

    /** Who may run a command now. */
    sealed interface Claim {

        /** The one who asked. */
        record Ours(Attempt attempt) implements Claim {}

        /** Nobody, or another one. */
        record Theirs(Answer answer) implements Claim {}
    }

    /** A run whose owner is dead, taken over, and its command as it came. */
    record Lapsed(Attempt attempt, String handler, Message message) {}

    /** Takes the run of a command that is new, that failed, or whose owner is dead; otherwise answers what became of it. */
    Claim claim(Command command, String handler, Lease lease);

    /** What became of a command; empty if it never came. */
    Optional<Answer> look(Command command, String handler);

    /** Takes over one run of these handlers whose owner is dead. */
    Optional<Lapsed> claimLapsed(Set<String> handlers, Lease lease);
}
