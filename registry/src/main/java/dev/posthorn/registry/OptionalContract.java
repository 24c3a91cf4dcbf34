package dev.posthorn.registry;

import dev.posthorn.event.Event;
import java.util.List;

/** Anything goes. */
final class OptionalContract implements Contract {

    @Override
    public String describe() {
        return "optional";
    }

    @Override
    public List<Violation> check(Event event) {
        return List.of();
    }
}
