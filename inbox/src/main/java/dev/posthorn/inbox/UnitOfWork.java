package dev.posthorn.inbox;

/**
 * What a handler works in: its effects are kept together or not at all.
 *
 * <p>Used by one thread, but for {@link #cancel}.
 *
 * @param <T> what a handler works in
 */
public interface UnitOfWork<T> extends AutoCloseable {

    T transaction();

    /**
     * Keeps the effects. Throws {@link InboxException} if it is not known whether they were kept or they were not for no fault
     * of the handler's, and {@link UndoneException} if what the handler did can not be kept.
     */
    void commit();

    /** Makes what runs in it end soon, with an error. From any thread; never throws. */
    void cancel();

    /** Undoes the effects unless they were committed. Never throws. */
    @Override
    void close();
}
