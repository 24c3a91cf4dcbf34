package dev.posthorn.archive;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * Where events go before they are removed from the log.
 *
 * <p>It holds volumes: some events each, with a manifest that has their checksum. A volume never changes once it is
 * finished. One event may be in two volumes, if a crash came between finishing the first and removing the event; both
 * then have the same event.
 *
 * <p>Every method throws {@link ArchiveException} if the place can not be read or written. Thread-safe.
 */
public interface Archive {

    /** Begins a volume. Nobody sees it before {@link Draft#finish} has returned. */
    Draft begin();

    /**
     * Every finished volume, the oldest events first, by its manifest alone: what it holds is not read. Also, with that as
     * its fault, each that should be there and is not.
     */
    List<Volume> list();

    /** Begins to read the events of a volume. */
    VolumeReader read(String name);

    /**
     * Reads all of a volume and compares it with its manifest.
     *
     * @param progress is told now and then how many events of it were read
     */
    Volume verify(String name, LongConsumer progress);
}
