package dev.posthorn.encryption;

import dev.posthorn.event.Event;
import java.util.Set;

/** The key of a payload is not here. It may come: during a rotation consumers need a key before producers use it. */
public final class UnknownKeyException extends EncryptionException {

    private static final long serialVersionUID = 1L;

    private final String key;

    UnknownKeyException(Event event, String key, Set<String> known) {
        super(
                "The payload of " + event + " is encrypted with key \"" + key + "\", and here are only " + known
                        + ". Give this consumer the key, restart it, and redrive what is dead by then.",
                null);
        this.key = key;
    }

    /** The id of the missing key. */
    public String key() {
        return key;
    }
}
