package dev.posthorn.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.postgres.Schema;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** What the Actuator is told. */
class HealthTest {

    private static final AtomicBoolean BROKER_IS_AWAY = new AtomicBoolean();

    private static Shop shop;

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        RecordingTransport broker() {
            return RecordingTransport.answering((event, attempt) ->
                    BROKER_IS_AWAY.get() ? Outcome.unavailable("the broker is away") : Outcome.accepted());
        }

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    @BeforeAll
    static void start() {
        shop = Shop.start(
                List.of(Beans.class),
                Shop.WITHOUT_JPA,
                "posthorn.transport=broker",
                "posthorn.health.figures-every=100ms");
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    private static Health health() {
        Health health = shop.context()
                .getBean("posthornHealthIndicator", HealthIndicator.class)
                .health();
        return Objects.requireNonNull(health);
    }

    @Test
    void itIsUpAndDegradedWithoutItsBrokerAndUpAgain() {
        assertThat(health().getStatus()).isEqualTo(Status.UP);

        // When
        BROKER_IS_AWAY.set(true);
        shop.place("1");

        // Then
        Await.until("degraded", () -> health().getStatus().equals(PosthornHealthIndicator.DEGRADED));
        assertThat(String.valueOf(health().getDetails().get("findings"))).contains("the broker is away");
        BROKER_IS_AWAY.set(false);
        Await.until("up again", () -> health().getStatus().equals(Status.UP));
    }

    @Test
    void aPausedRouteIsDegradedUntilSomeoneResumesIt() {
        PostgresRoutes routes = new PostgresRoutes(shop.bean(DataSource.class), Schema.DEFAULT);
        routes.pause("main", "a test");
        try {
            Await.until("degraded", () -> health().getStatus().equals(PosthornHealthIndicator.DEGRADED));

            assertThat(health().getStatus().getDescription())
                    .contains("paused", "until someone resumes it")
                    .doesNotContain("by itself");
            assertThat(String.valueOf(health().getDetails().get("findings")))
                    .contains("route main publishes nothing: the route is paused");
            assertThat(String.valueOf(health().getDetails().get("routes"))).contains("paused=true", "connected=true");
        } finally {
            routes.resume("main", "the test is over");
        }
        Await.until("up again", () -> health().getStatus().equals(Status.UP));
    }

    @Test
    void aNewerSchemaThatItWorksWithIsToldAndNoReasonToBeOutOfService() {
        JdbcTemplate database = new JdbcTemplate(shop.bean(DataSource.class));
        database.execute("INSERT INTO posthorn.migration (version, name, checksum) VALUES (9999, 'tomorrow', 'x')");
        try {
            Await.until(
                    "it is told",
                    () -> String.valueOf(health().getDetails().get("findings")).contains("(tomorrow)"));
            assertThat(health().getStatus()).isEqualTo(Status.UP);
        } finally {
            database.execute("DELETE FROM posthorn.migration WHERE version = 9999");
        }
    }

    @Test
    void relaysAndTheLogAreMeasured() {
        MeterRegistry registry = shop.bean(MeterRegistry.class);

        Await.until(
                "all lanes",
                () -> registry.get("posthorn_relay_lanes")
                                .tag("route", "main")
                                .gauge()
                                .value()
                        == 16);
        Await.until("a look", () -> registry.find("posthorn_database_up").gauge() != null);
        assertThat(registry.get("posthorn_database_up").gauge().value()).isEqualTo(1);
    }
}
