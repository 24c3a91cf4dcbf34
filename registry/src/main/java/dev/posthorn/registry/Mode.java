package dev.posthorn.registry;

import dev.posthorn.event.PosthornException;
import java.util.Locale;

/** What happens to an event that breaks a rule. */
public enum Mode {
    /** It is refused: the emit throws, and what another writer has inserted is FAILED. */
    STRICT,
    /** It passes, and the log of the process says so. */
    WARN,
    /** Nothing is checked. */
    OFF;

    /** As it stands in configuration: {@code strict}, {@code warn} or {@code off}. */
    public static Mode named(String name) {
        for (Mode mode : values()) {
            if (mode.text().equals(name)) {
                return mode;
            }
        }
        throw new PosthornException("There is no mode \"" + name + "\"; use strict, warn or off.");
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
