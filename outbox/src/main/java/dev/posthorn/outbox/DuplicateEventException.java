package dev.posthorn.outbox;

import dev.posthorn.event.PosthornException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** An id of this emit is in the log already. */
public final class DuplicateEventException extends PosthornException {

    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 10;

    private final transient List<UUID> candidates;

    /**
     * @param candidates the ids of the call; the database does not tell a producer without read access which one it was
     */
    public DuplicateEventException(List<UUID> candidates, Throwable cause) {
        super(
                "Nothing was emitted: " + (candidates.size() == 1 ? "event " : "one of the events ")
                        + candidates.stream().limit(SHOWN).map(UUID::toString).collect(Collectors.joining(", "))
                        + (candidates.size() > SHOWN ? " and " + (candidates.size() - SHOWN) + " more" : "")
                        + " was emitted before. Roll the transaction back; if repeating is meant to be harmless, emit"
                        + " with EmitOption.IDEMPOTENT.",
                cause);
        this.candidates = List.copyOf(candidates);
    }

    /** The ids among which the duplicate is. */
    public List<UUID> candidates() {
        return candidates;
    }
}
