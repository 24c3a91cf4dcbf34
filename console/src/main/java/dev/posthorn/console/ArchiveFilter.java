package dev.posthorn.console;

import dev.posthorn.archive.ArchivedEvent;
import dev.posthorn.archive.Manifest;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which archived events; null is any. What is given must all hold.
 *
 * @param from emitted then or later
 * @param to emitted before
 */
public record ArchiveFilter(
        @Nullable UUID id,
        @Nullable String domain,
        @Nullable String type,
        @Nullable String key,
        Instant from,
        Instant to) {

    /** Whether a volume with this manifest may hold such an event. */
    public boolean mayBeIn(Manifest manifest) {
        return mayBeBetween(manifest.firstCreatedAt(), manifest.lastCreatedAt());
    }

    /** Whether such an event may have been emitted from the first to the last of these. */
    public boolean mayBeBetween(Instant first, Instant last) {
        return !last.isBefore(from) && first.isBefore(to);
    }

    public boolean fits(ArchivedEvent archived) {
        Instant at = archived.place().createdAt();
        return (id == null || id.equals(archived.event().id()))
                && (domain == null || domain.equals(archived.event().domain()))
                && (type == null || type.equals(archived.event().type()))
                && (key == null || key.equals(archived.event().key().orElse(null)))
                && !at.isBefore(from)
                && at.isBefore(to);
    }
}
