package dev.posthorn.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TenantMetricsTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TenantMetrics metrics =
            new TenantMetrics(registry, "main", Set.of("acme"), Clock.fixed(NOW, ZoneOffset.UTC));

    private record Try(Event event) implements Publication {
        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public void settle(Outcome outcome) {}
    }

    private void publish(Outcome outcome, @Nullable String... tenants) {
        publish(metrics, outcome, tenants);
    }

    private static void publish(TenantMetrics metrics, Outcome outcome, @Nullable String... tenants) {
        Publisher publisher = metrics.around(new Publisher() {
            @Override
            public void publish(List<? extends Publication> publications) {
                publications.forEach(one -> one.settle(outcome));
            }

            @Override
            public void close() {}
        });
        for (@Nullable String tenant : tenants) {
            publisher.publish(List.of(new Try(Event.of("shop", "placed")
                    .tenant(tenant)
                    .occurredAt(NOW.minusSeconds(3))
                    .build())));
        }
    }

    private Timer timer(String tenant) {
        return registry.get("posthorn_tenant_publish_lag_seconds")
                .tag("tenant", tenant)
                .timer();
    }

    @Test
    void aNamedTenantHasItsLagAndTheRestCountsTogether() {
        publish(Outcome.accepted(), "acme", "globex", "initech", null);

        assertThat(timer("acme").count()).isEqualTo(1);
        assertThat(timer("acme").totalTime(TimeUnit.SECONDS)).isEqualTo(3);
        assertThat(timer("other").count()).isEqualTo(2);
        assertThat(timer("none").count()).isEqualTo(1);
    }

    @Test
    void aGroupThatIsNamedCountsItsSubsidiariesTogetherButThoseThatAreNamedToo() {
        TenantMetrics ofGroup = new TenantMetrics(
                registry, "main", Set.of("umbrella/*", "umbrella/rome"), Clock.fixed(NOW, ZoneOffset.UTC));

        publish(ofGroup, Outcome.accepted(), "umbrella", "umbrella/oslo", "umbrella/rome", "umbrella2/oslo");

        assertThat(timer("umbrella/*").count()).isEqualTo(2);
        assertThat(timer("umbrella/rome").count()).isEqualTo(1);
        assertThat(timer("other").count()).isEqualTo(1);
    }

    @Test
    void howeverManyTenantsThereAreTheLabelsStay() {
        publish(
                Outcome.accepted(),
                IntStream.range(0, 1_000).mapToObj(i -> "tenant-" + i).toArray(String[]::new));

        assertThat(registry.getMeters()).hasSize(3);
    }

    @Test
    void whatDidNotGoThroughIsNotCounted() {
        publish(Outcome.failed("no"), "acme");

        assertThat(timer("acme").count()).isZero();
    }
}
