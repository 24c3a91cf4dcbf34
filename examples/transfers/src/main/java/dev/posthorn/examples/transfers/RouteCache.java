package dev.posthorn.examples.transfers;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** By which rail a payee is reached, remembered until the directory says that something has changed. Thread-safe. */
public final class RouteCache {

    private final UnaryOperator<String> directory;
    private final Map<String, String> known = new ConcurrentHashMap<>();

    /** Asks the directory for what is not known. */
    public RouteCache(UnaryOperator<String> directory) {
        this.directory = directory;
    }

    public String routeTo(String payee) {
        return known.computeIfAbsent(payee, directory);
    }

    void invalidate() {
        known.clear();
    }
}
