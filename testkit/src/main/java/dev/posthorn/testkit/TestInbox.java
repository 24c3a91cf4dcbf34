package dev.posthorn.testkit;

import dev.posthorn.inbox.Inbox;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * A real inbox, as {@link InboxContract} needs it: with marks of its own for each test, none at first.
 *
 * @param <T> what handlers work in
 */
public interface TestInbox<T> extends AutoCloseable {

    /** The inbox; a session of it waits no longer than this for another one. All that are asked for share their marks. */
    Inbox<T> patient(Duration longest);

    /** One that is not there. */
    Inbox<T> unreachable();

    /** What handlers do. */
    Effects<T> effects();

    @Override
    void close();

    /** Effects that are kept together with the marks, unless the contract's differences say otherwise. */
    interface Effects<T> {

        /** Does something for this event in the session's transaction. */
        void write(T transaction, UUID event) throws Exception;

        /** What was kept so far, once for each time it was written. */
        List<UUID> kept() throws Exception;
    }
}
