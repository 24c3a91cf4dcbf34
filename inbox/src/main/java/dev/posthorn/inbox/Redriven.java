package dev.posthorn.inbox;

import dev.posthorn.deadletter.DeadLetter;
import java.util.UUID;

/**
 * A dead letter that was sent back to its consumer.
 *
 * @param letter its id
 * @param handler which handler it is for; empty for one that never came to a handler
 * @param raw what to handle
 */
public record Redriven(UUID letter, String handler, DeadLetter.Raw raw) {}
