package dev.posthorn.encryption;

import dev.posthorn.event.PosthornException;
import org.jspecify.annotations.Nullable;

/** A payload could not be encrypted or decrypted now, or keys could not be read; it may work later. */
public class EncryptionException extends PosthornException {

    private static final long serialVersionUID = 1L;

    public EncryptionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
