package dev.posthorn.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.relay.LeaseStore;
import dev.posthorn.relay.RouteMode;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RelayMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RelayMetrics metrics = new RelayMetrics(registry, "orders", Clock.systemUTC());

    @Test
    void everyOutcomeIsCountedOnceAndHandedOn() {
        List<Outcome> handedOn = new ArrayList<>();
        Publisher publisher = metrics.around(settling(publication -> {
            publication.settle(Outcome.accepted());
            publication.settle(Outcome.unknown("too late"));
        }));

        publisher.publish(List.of(publication(1, handedOn), publication(3, handedOn)));

        assertThat(handedOn).first().isEqualTo(Outcome.accepted());
        assertThat(count("accepted")).isEqualTo(2);
        assertThat(count("unknown")).isZero();
        assertThat(registry.get("event_publish_attempts").counter().count()).isEqualTo(2);
        assertThat(registry.get("event_publish_retries").counter().count()).isEqualTo(1);
        assertThat(metrics.pulse().lastPublish()).isPresent();
        assertThat(metrics.pulse().lastError()).isEmpty();
    }

    @Test
    void whatDidNotGoThroughIsTheLastError() {
        Publisher publisher = metrics.around(settling(publication -> publication.settle(Outcome.failed("no queue"))));

        publisher.publish(List.of(publication(1, new ArrayList<>())));

        assertThat(count("failed")).isEqualTo(1);
        assertThat(metrics.pulse().lastError()).contains("no queue");
        assertThat(metrics.pulse().lastPublish()).isEmpty();
    }

    @Test
    void aRunIsAsLongAsThePublishersOwn() {
        assertThat(metrics.around(settling(publication -> {})).longestRun()).isEqualTo(77);
    }

    @Test
    void lanesThatAreTakenAndLostAreCounted() {
        LeaseStore leases = new MeteredLeases(new Leases(), registry, Tags.of("route", "orders"), metrics.pulse());
        List<LeaseStore.Lease> taken = leases.acquire("r", 2, Duration.ofSeconds(15));

        leases.renew("r", taken, Duration.ofSeconds(15), LeaseStore.Report.NEW);

        assertThat(registry.get("posthorn_takeovers").counter().count()).isEqualTo(2);
        assertThat(registry.get("posthorn_leases_lost").counter().count()).isEqualTo(1);
    }

    private long count(String outcome) {
        return registry.get("event_publish_duration_seconds")
                .tag("route", "orders")
                .tag("outcome", outcome)
                .timer()
                .count();
    }

    private static Publisher settling(Consumer<Publication> how) {
        return new Publisher() {
            @Override
            public void publish(List<? extends Publication> publications) {
                publications.forEach(how);
            }

            @Override
            public int longestRun() {
                return 77;
            }

            @Override
            public void close() {
                // nothing is open
            }
        };
    }

    private static Publication publication(int attempt, List<Outcome> settled) {
        return new Publication() {
            @Override
            public Event event() {
                return Event.of("shop", "placed").build();
            }

            @Override
            public int attempt() {
                return attempt;
            }

            @Override
            public void settle(Outcome outcome) {
                settled.add(outcome);
            }
        };
    }

    /** Gives two lanes, and lets one of them be lost. */
    private static final class Leases implements LeaseStore {

        @Override
        public Renewal renew(String relay, Collection<Lease> held, Duration ttl, Report report) {
            return new Renewal(held.stream().skip(1).toList(), Crew.ALONE, 16, RouteMode.OPEN);
        }

        @Override
        public Crew crew(String relay, Duration ttl) {
            return Crew.ALONE;
        }

        @Override
        public List<Lease> acquire(String relay, int most, Duration ttl) {
            return List.of(new Lease(0, 1), new Lease(1, 1));
        }

        @Override
        public void release(String relay, Collection<Lease> leases) {
            // nobody waits for them
        }

        @Override
        public void leave(String relay) {
            // nobody waits for it
        }
    }
}
