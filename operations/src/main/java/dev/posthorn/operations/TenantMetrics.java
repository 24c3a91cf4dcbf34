package dev.posthorn.operations;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * How many events of a tenant were published, and how long after they happened.
 *
 * <p>Only tenants that were named have a label of their own, so that there are never more of them than someone wanted; all
 * others are {@value #OTHER}, and events without one are {@value #NONE}. Thread-safe.
 */
public final class TenantMetrics {

    static final String OTHER = "other";
    static final String NONE = "none";

    private final Map<String, Timer> timers = new HashMap<>();
    private final Clock clock;

    public TenantMetrics(MeterRegistry registry, String route, Set<String> tenants, Clock clock) {
        this.clock = clock;
        tenants.forEach(tenant -> timers.put(tenant, timer(registry, route, tenant)));
        timers.computeIfAbsent(OTHER, label -> timer(registry, route, label));
        timers.computeIfAbsent(NONE, label -> timer(registry, route, label));
    }

    private static Timer timer(MeterRegistry registry, String route, String tenant) {
        return Timer.builder("posthorn_tenant_publish_lag_seconds")
                .description("From when an event of a tenant happened to its being accepted by the destination.")
                .tag("route", route)
                .tag("tenant", tenant)
                .register(registry);
    }

    public Publisher around(Publisher publisher) {
        return new Publisher() {
            @Override
            public void publish(List<? extends Publication> publications) {
                publisher.publish(
                        publications.stream().map(TenantMetrics.this::timed).toList());
            }

            @Override
            public int longestRun() {
                return publisher.longestRun();
            }

            @Override
            public void close() {
                publisher.close();
            }
        };
    }

    private Publication timed(Publication publication) {
        return publication.watched(outcome -> {
            if (outcome instanceof Outcome.Accepted) {
                accepted(publication.event());
            }
        });
    }

    private void accepted(Event event) {
        String label = event.tenant().map(tenant -> label(tenant, event)).orElse(NONE);
        Duration lag = Duration.between(event.occurredAt(), clock.instant());
        Objects.requireNonNull(timers.get(label)).record(lag.isNegative() ? Duration.ZERO : lag);
    }

    /** Its own if it was named, else that of its group. */
    private String label(String tenant, Event event) {
        if (timers.containsKey(tenant)) {
            return tenant;
        }
        String group = event.group().orElse(tenant) + "/*";
        return timers.containsKey(group) ? group : OTHER;
    }
}
