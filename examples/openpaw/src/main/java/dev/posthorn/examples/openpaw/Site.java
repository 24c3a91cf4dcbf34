package dev.posthorn.examples.openpaw;

import java.util.Locale;

/** Where a registry of assets is. What is written at one site is copied to the other. */
public enum Site {
    NORTH,
    SOUTH;

    Site other() {
        return this == NORTH ? SOUTH : NORTH;
    }

    /** As it stands in payloads and tables. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Site of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
