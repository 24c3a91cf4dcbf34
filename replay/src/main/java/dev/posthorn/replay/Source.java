package dev.posthorn.replay;

import dev.posthorn.archive.ArchiveException;
import dev.posthorn.archive.FolderArchive;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** Where replayed events come from. */
public sealed interface Source {

    /** What is in the log. */
    record Log() implements Source {
        @Override
        public <R> R reduce(Supplier<R> log, Function<Archived, R> archived) {
            return log.get();
        }
    }

    /**
     * What has left the log for an archive in a folder. What is archived later is not part of it.
     *
     * @param folder as the process that publishes finds it
     * @param volumes those that hold what is selected, or may
     * @param end the greatest seq in them
     * @param of how many events are selected
     */
    record Archived(String folder, List<String> volumes, long end, OptionalLong of) implements Source {

        public Archived {
            volumes = List.copyOf(volumes);
        }

        @Override
        public <R> R reduce(Supplier<R> log, Function<Archived, R> archived) {
            return archived.apply(this);
        }
    }

    /** Calls the one case that this is. */
    <R> R reduce(Supplier<R> log, Function<Archived, R> archived);

    static Source log() {
        return new Log();
    }

    /**
     * What an archive has now of what is selected. Reads every volume that may hold some of it.
     *
     * @throws ArchiveException if a volume is missing or damaged
     */
    static Archived archive(Path folder, Selection selection) {
        Path place = folder.toAbsolutePath().normalize();
        return ArchivePages.choose(new FolderArchive(place), place.toString(), selection);
    }
}
