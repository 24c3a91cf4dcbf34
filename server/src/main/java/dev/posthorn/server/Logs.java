package dev.posthorn.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Levels of the loggers, all of which write to standard error. They are set before the first logger is created.
 *
 * <p>The clients of databases and brokers log a stack trace for each attempt to connect. Posthorn logs each of these outages
 * itself, so the clients' loggers are off unless {@code -v} or {@value #CLIENTS_VARIABLE} is given.
 */
final class Logs {

    static final String CLIENTS_VARIABLE = "POSTHORN_LOG_CLIENTS";

    private static final String LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";
    private static final String LEVEL_OF = "org.slf4j.simpleLogger.log.";
    private static final String OWN = "dev.posthorn";
    private static final List<String> CLIENTS = List.of(
            "com.zaxxer.hikari",
            "org.postgresql",
            "org.apache.kafka",
            "com.rabbitmq",
            "io.lettuce",
            "io.netty",
            "reactor",
            "software.amazon.awssdk",
            "org.apache.http",
            "io.grpc",
            "io.opencensus",
            "com.google");
    private static final Map<String, Level> OF_JAVA = Map.of(
            "off", Level.OFF,
            "error", Level.SEVERE,
            "warn", Level.WARNING,
            "info", Level.INFO,
            "debug", Level.FINE,
            "trace", Level.FINEST);
    /** Java forgets the level of a logger that nobody refers to. */
    private static final List<Logger> KEPT = new ArrayList<>();

    private Logs() {}

    /** Sets the levels: the relay logs its lanes, other commands log trouble only, and {@code -v} logs everything. */
    static void configure(List<String> args, Map<String, String> environment) {
        boolean verbose = args.contains("-v") || args.contains("--verbose");
        boolean relay = args.contains("relay");
        set(LEVEL, verbose ? "info" : "warn");
        set(LEVEL_OF + OWN, verbose ? "debug" : relay ? "info" : "warn");
        String clients = environment.getOrDefault(CLIENTS_VARIABLE, "").toLowerCase(Locale.ROOT);
        String level = OF_JAVA.containsKey(clients) ? clients : verbose ? "info" : "off";
        CLIENTS.forEach(client -> quieten(client, level));
    }

    private static void quieten(String client, String level) {
        set(LEVEL_OF + client, level);
        Logger ofJava = Logger.getLogger(client);
        ofJava.setLevel(OF_JAVA.get(level));
        KEPT.add(ofJava);
        if (ofJava.isLoggable(Level.FINE)) {
            for (Handler handler : Arrays.asList(Logger.getLogger("").getHandlers())) {
                handler.setLevel(Level.ALL);
            }
        }
    }

    private static void set(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
