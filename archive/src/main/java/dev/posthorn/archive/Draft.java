package dev.posthorn.archive;

/** A volume that is being written. Not thread-safe. */
public interface Draft extends AutoCloseable {

    void add(ArchivedEvent event);

    /**
     * Makes the volume durable, reads it back, compares it with what was added, and only then shows it.
     *
     * <p>Once this has returned, the events may be removed from the log. If it throws, they must not be; the volume is then
     * there as a whole or not at all.
     */
    Volume finish();

    /** Throws away what was not finished. */
    @Override
    void close();
}
