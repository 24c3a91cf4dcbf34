package dev.posthorn.testkit;

import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.DestinationRegister;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** A register in memory: what a transport found, and what it missed. Thread-safe. */
public final class KnownDestinations implements DestinationRegister {

    private record Entry(DestinationKind kind, String name) {}

    private final Map<Entry, Boolean> missing = new ConcurrentHashMap<>();

    @Override
    public boolean isKnown(DestinationKind kind, String name) {
        return missing.containsKey(new Entry(kind, name));
    }

    @Override
    public void found(DestinationKind kind, String name) {
        missing.put(new Entry(kind, name), false);
    }

    @Override
    public void missing(DestinationKind kind, String name) {
        missing.replace(new Entry(kind, name), true);
    }

    /** Those of a kind that exist or existed. */
    public Set<String> names(DestinationKind kind) {
        return missing.keySet().stream()
                .filter(entry -> entry.kind() == kind)
                .map(Entry::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those that carry events. */
    public Set<String> ofEvents() {
        return missing.keySet().stream()
                .filter(entry -> entry.kind().carriesEvents())
                .map(Entry::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those that were missed. */
    public Set<String> missed() {
        return missing.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(entry -> entry.getKey().name())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** As the command does that lets a missing one be created. */
    public void allow(String name) {
        missing.entrySet()
                .removeIf(entry -> entry.getValue() && entry.getKey().name().equals(name));
    }
}
