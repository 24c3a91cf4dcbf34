package dev.posthorn.archive;

import java.util.Optional;

/**
 * The events of a volume, one after the other, in the order in which they were archived: by lane, and by seq within each.
 *
 * <p>Holds one event at a time. That all are what was archived is known only after {@link Archive#verify}. Not thread-safe.
 */
public interface VolumeReader extends AutoCloseable {

    /**
     * The next event; empty after the last.
     *
     * @throws ArchiveException if it can not be read, or is not an event
     */
    Optional<ArchivedEvent> next();

    @Override
    void close();
}
