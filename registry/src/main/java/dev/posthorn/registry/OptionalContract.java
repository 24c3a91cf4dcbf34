package dev.posthorn.registry;

import dev.posthorn.event.Event;
import java.util.List;
import java.util.Optional;

/** Anything goes. */
final class OptionalContract implements Contract {

    @Override
    public String describe() {
        return "optional";
    }

    /** There is nothing to save. */
    @Override
    public Optional<String> identity() {
        return Optional.empty();
    }

    @Override
    public List<Violation> check(Event event) {
        return List.of();
    }
}
