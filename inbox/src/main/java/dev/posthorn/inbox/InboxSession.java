package dev.posthorn.inbox;

import java.util.Collection;
import java.util.Set;
import java.util.UUID;

/**
 * A unit of work with the marks of what is handled in it. Where marks and effects are in one place they are kept together or
 * not at all; an inbox that keeps its marks elsewhere says what it promises instead.
 *
 * @param <T> what a handler works in
 */
public interface InboxSession<T> extends UnitOfWork<T> {

    /**
     * Marks these events as handled by this handler, and answers which were not before. Waits while another session has one
     * of them in work: if that one is undone, it is the first time here.
     *
     * <p>Throws {@link InboxException} if that takes longer than the inbox allows, or the inbox is out of reach.
     */
    Set<UUID> firstTimes(HandlerId handler, Collection<UUID> events);

    /** Keeps effects and marks, in this order where they are not in one place. */
    @Override
    void commit();

    /** Undoes marks and effects unless they were committed. Never throws. */
    @Override
    void close();
}
