package dev.posthorn.inbox;

/**
 * Remembers what was handled, so that an effect happens once however often its event comes. Thread-safe.
 *
 * @param <T> what a handler works in, such as a connection in a transaction
 */
public interface Inbox<T> extends Units<T> {

    @Override
    InboxSession<T> begin();
}
