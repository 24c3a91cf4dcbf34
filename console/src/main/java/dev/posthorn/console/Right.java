package dev.posthorn.console;

import java.util.Locale;

/** What one may do. */
enum Right {
    /** Scrape metrics, and see health as a whole. */
    MEASURE,
    /** See all but payloads and headers. */
    READ,
    /** See payloads and headers. */
    PAYLOADS,
    /** Change what can be changed back, and decide about dead letters. */
    OPERATE,
    /** Change what stays changed, and see the configuration. */
    ADMIN;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
