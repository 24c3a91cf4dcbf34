package dev.posthorn.registry;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Events that break the registry were not emitted; says which, where and by which rule, all at once. */
public final class UnregisteredEventException extends PosthornException {

    private static final long serialVersionUID = 1L;

    private final transient Map<UUID, List<Violation>> violations;

    UnregisteredEventException(Map<Event, List<Violation>> refused) {
        super(refused.entrySet().stream()
                        .map(one -> one.getKey() + " breaks the registry: " + text(one.getValue()))
                        .collect(Collectors.joining("; "))
                + ". Nothing was emitted; correct the event, or the registry.");
        Map<UUID, List<Violation>> byId = new LinkedHashMap<>();
        refused.forEach((event, found) -> byId.put(event.id(), List.copyOf(found)));
        violations = byId;
    }

    /** By the event's id. */
    public Map<UUID, List<Violation>> violations() {
        return violations;
    }

    static String text(List<Violation> found) {
        return found.stream().map(Violation::toString).collect(Collectors.joining(", "));
    }
}
