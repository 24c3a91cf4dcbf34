package dev.posthorn.embeddedpostgres;

import dev.posthorn.event.PosthornException;
import org.jspecify.annotations.Nullable;

/** The server could not be provided; the message says why, with the end of its log, and what to do. */
public final class EmbeddedPostgresException extends PosthornException {

    private static final long serialVersionUID = 1L;

    EmbeddedPostgresException(String message) {
        super(message);
    }

    EmbeddedPostgresException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
