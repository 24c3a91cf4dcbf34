package dev.posthorn.server;

import java.util.List;

/** How much is logged; all of it goes to standard error. Decided before the first logger is made. */
final class Logs {

    private static final String LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";
    private static final String OWN_LEVEL = "org.slf4j.simpleLogger.log.dev.posthorn";

    private Logs() {}

    /** A relay tells of its lanes, other commands of trouble only; {@code -v} tells everything. */
    static void configure(List<String> args) {
        boolean verbose = args.contains("-v") || args.contains("--verbose");
        boolean relay = args.contains("relay");
        set(LEVEL, verbose ? "info" : "warn");
        set(OWN_LEVEL, verbose ? "debug" : relay ? "info" : "warn");
    }

    private static void set(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
