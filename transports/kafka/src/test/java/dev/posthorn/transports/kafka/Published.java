package dev.posthorn.transports.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Events for tests, and what becomes of them. */
final class Published {

    private Published() {}

    static String newPrefix() {
        return "t" + UUID.randomUUID().toString().substring(0, 8);
    }

    static Event event(String domain, String key) {
        return Event.of(domain, "Placed")
                .key(key)
                .payload(key.getBytes(UTF_8), "text/plain")
                .build();
    }

    static List<Event> events(int count, int keys) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(Event.of("orders", "Placed")
                    .key("key-" + i % keys)
                    .sequence(i)
                    .payload(new byte[] {1}, "application/octet-stream")
                    .build());
        }
        return events;
    }

    /** Through a publisher of its own. */
    static List<Outcome> by(Transport transport, List<Event> events) {
        try (Publisher publisher = transport.publisher()) {
            return by(publisher, events);
        }
    }

    static List<Outcome> by(Publisher publisher, List<Event> events) {
        List<TrackedPublication> publications = TrackedPublication.firstOf(events);
        publisher.publish(publications);
        return publications.stream().map(TrackedPublication::awaitOutcome).toList();
    }

    static Outcome by(Publisher publisher, Event event) {
        return by(publisher, List.of(event)).get(0);
    }
}
