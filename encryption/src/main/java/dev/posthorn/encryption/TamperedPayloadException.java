package dev.posthorn.encryption;

import dev.posthorn.event.Event;
import java.security.GeneralSecurityException;

/** A payload is not what was encrypted, or belongs to another event. It never will be right. */
public final class TamperedPayloadException extends EncryptionException {

    private static final long serialVersionUID = 1L;

    TamperedPayloadException(Event event, GeneralSecurityException cause) {
        super(
                "The payload of " + event
                        + " was changed after it was encrypted, or taken from another event: its id, type,"
                        + " tenant and content type are authenticated too. Find out who could write to the log or the broker.",
                cause);
    }
}
