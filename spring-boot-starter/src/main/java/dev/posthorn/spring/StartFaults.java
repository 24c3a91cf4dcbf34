package dev.posthorn.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What is wrong with the application's properties and handlers, gathered while its parts are made. Thread-safe. */
final class StartFaults {

    private final List<String> faults = new CopyOnWriteArrayList<>();

    void add(String fault) {
        faults.add(fault);
    }

    List<String> all() {
        return List.copyOf(faults);
    }
}
