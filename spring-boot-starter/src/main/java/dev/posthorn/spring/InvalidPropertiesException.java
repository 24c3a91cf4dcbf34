package dev.posthorn.spring;

import dev.posthorn.event.PosthornException;
import java.util.List;

/** The application can not start with its properties or handlers; the message names every fault. */
public final class InvalidPropertiesException extends PosthornException {

    private static final long serialVersionUID = 1L;

    InvalidPropertiesException(List<String> faults) {
        super("Posthorn can not start: " + String.join("; ", faults) + ".");
    }

    /** Throws if there are faults. */
    static void throwIfAny(List<String> faults) {
        if (!faults.isEmpty()) {
            throw new InvalidPropertiesException(faults);
        }
    }
}
