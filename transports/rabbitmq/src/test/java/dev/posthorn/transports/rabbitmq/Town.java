package dev.posthorn.transports.rabbitmq;

import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Names of its own on the shared broker, for one test; closes what was opened through it. */
final class Town implements AutoCloseable {

    final String prefix = "t" + UUID.randomUUID().toString().substring(0, 8);
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    RabbitMqTransport transport() {
        return transport(User.ADMIN, config -> config);
    }

    RabbitMqTransport transport(User user, UnaryOperator<RabbitMqConfig> settings) {
        return closing(new RabbitMqTransport(settings.apply(RabbitMq.config(prefix, user))));
    }

    <T extends AutoCloseable> T closing(T resource) {
        open.push(resource);
        return resource;
    }

    String named(String name) {
        return prefix + "." + name;
    }

    static Event event(String domain, String key) {
        return Event.of(domain, "Placed")
                .key(key)
                .payload(key.getBytes(StandardCharsets.UTF_8), "text/plain")
                .build();
    }

    static List<Event> events(int count, int keys) {
        return IntStream.range(0, count)
                .mapToObj(i -> Event.of("orders", "Placed")
                        .key("key-" + i % keys)
                        .sequence(i)
                        .json("{}")
                        .build())
                .toList();
    }

    static Outcome outcome(Transport transport, Event event) {
        return outcomes(transport, List.of(event)).get(0);
    }

    static List<Outcome> outcomes(Transport transport, List<Event> events) {
        try (Publisher publisher = transport.publisher()) {
            return outcomes(publisher, events);
        }
    }

    static List<Outcome> outcomes(Publisher publisher, List<Event> events) {
        List<TrackedPublication> publications = TrackedPublication.firstOf(events);
        publisher.publish(publications);
        return publications.stream().map(TrackedPublication::awaitOutcome).toList();
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception unexpected) {
                throw new IllegalStateException(unexpected);
            }
        }
    }
}
