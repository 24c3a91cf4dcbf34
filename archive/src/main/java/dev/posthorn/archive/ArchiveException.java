package dev.posthorn.archive;

import dev.posthorn.event.PosthornException;
import org.jspecify.annotations.Nullable;

/** The archive could not be read or written. Nothing is removed from the log then. */
public final class ArchiveException extends PosthornException {

    private static final long serialVersionUID = 1L;

    public ArchiveException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
