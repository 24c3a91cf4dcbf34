package dev.posthorn.transports.ipc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A folder for each test, and what is closed after it. */
abstract class IpcTests {

    /** Short times, so that tests outlast them. */
    static final IpcConfig.Timing TIMING = IpcConfig.Timing.STANDARD
            .answer(Duration.ofSeconds(5))
            .silence(Duration.ofSeconds(5))
            .drain(Duration.ofSeconds(1));

    @TempDir
    private Path temporary;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    static IpcConfig config(Path folder) {
        return IpcConfig.in(folder).timing(TIMING);
    }

    Path folder() {
        return temporary.resolve("ipc");
    }

    IpcConfig config() {
        return config(folder());
    }

    IpcTransport transport() {
        return transport(config());
    }

    IpcTransport transport(IpcConfig config) {
        return closing(new IpcTransport(config));
    }

    IpcHub hub() {
        return closing(IpcHub.start(config()));
    }

    <T extends AutoCloseable> T closing(T resource) {
        open.push(resource);
        return resource;
    }

    @AfterEach
    final void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    static Event event(String key) {
        return Event.of("orders", "Placed")
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
                    .payload(("number " + i).getBytes(UTF_8), "text/plain")
                    .build());
        }
        return events;
    }

    static List<Outcome> outcomes(Bus bus, List<Event> events) {
        List<TrackedPublication> publications = TrackedPublication.firstOf(events);
        try (Publisher publisher = bus.publisher()) {
            publisher.publish(publications);
            return publications.stream().map(TrackedPublication::awaitOutcome).toList();
        }
    }
}
