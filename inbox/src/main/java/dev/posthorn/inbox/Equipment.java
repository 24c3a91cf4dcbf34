package dev.posthorn.inbox;

import dev.posthorn.deadletter.DeadLetterChain;

/**
 * What a consumer works with.
 *
 * @param inbox remembers what was handled
 * @param deadLetters where what can not be handled goes
 * @param store what members and operators know of each other
 * @param <T> what handlers work in
 */
public record Equipment<T>(Inbox<T> inbox, DeadLetterChain deadLetters, ConsumerStore<T> store) {

    /** The same, and dead letters that a target has taken go to the transport's own dead letters as well. */
    public Equipment<T> alsoToTransport() {
        return new Equipment<>(inbox, deadLetters.alsoToTransport(), store);
    }
}
