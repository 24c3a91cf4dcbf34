package dev.posthorn.operations;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Counts and times what a publisher is asked for, by outcome. */
final class MeteredPublisher implements Publisher {

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(2),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30)
    };

    private final Publisher publisher;
    private final Pulse pulse;
    private final Map<String, Timer> durations = new HashMap<>();
    private final Counter attempts;
    private final Counter retries;

    MeteredPublisher(Publisher publisher, MeterRegistry registry, Tags tags, Pulse pulse) {
        this.publisher = publisher;
        this.pulse = pulse;
        for (String outcome : List.of("accepted", "refused", "failed", "unavailable", "unknown")) {
            durations.put(
                    outcome,
                    Timer.builder("event_publish_duration_seconds")
                            .description("From handing an event to the transport to its outcome.")
                            .tags(tags.and("outcome", outcome))
                            .serviceLevelObjectives(BUCKETS)
                            .register(registry));
        }
        this.attempts = Counter.builder("event_publish_attempts")
                .description("Publish calls, one for each event and try.")
                .tags(tags)
                .register(registry);
        this.retries = Counter.builder("event_publish_retries")
                .description("Publish calls that were not the event's first.")
                .tags(tags)
                .register(registry);
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        long now = System.nanoTime();
        List<Publication> wrapped = new ArrayList<>(publications.size());
        for (Publication publication : publications) {
            wrapped.add(publication.watched(outcome -> settled(outcome, now)));
            if (publication.attempt() > 1) {
                retries.increment();
            }
        }
        attempts.increment(publications.size());
        publisher.publish(wrapped);
    }

    @Override
    public int longestRun() {
        return publisher.longestRun();
    }

    @Override
    public void close() {
        publisher.close();
    }

    private void settled(Outcome outcome, long began) {
        String name = outcome.reduce(new Names());
        Objects.requireNonNull(durations.get(name)).record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
    }

    /** What an outcome is called; and the pulse learns of it. */
    private final class Names implements Outcome.Cases<String> {

        @Override
        public String accepted() {
            pulse.published();
            return "accepted";
        }

        @Override
        public String refused(String reason) {
            pulse.failed(reason);
            return "refused";
        }

        @Override
        public String failed(String reason) {
            pulse.failed(reason);
            return "failed";
        }

        @Override
        public String unavailable(String reason) {
            pulse.failed(reason);
            return "unavailable";
        }

        @Override
        public String unknown(String reason) {
            pulse.failed(reason);
            return "unknown";
        }
    }
}
