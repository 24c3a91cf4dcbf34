package dev.posthorn.spring;

import dev.posthorn.operations.Health;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What health and metrics go by.
 *
 * @param standstill How long events may wait in a lane that does not move before the application is out of service.
 * @param consumerLag From which lag on a consumer is named as degraded. Left out: never.
 * @param figuresEvery How often figures are read from the database.
 */
@ConfigurationProperties("posthorn.health")
record PosthornHealthProperties(
        @DefaultValue("5m") Duration standstill,
        @Nullable Duration consumerLag,
        @DefaultValue("2s") Duration figuresEvery) {

    private static final Duration LONGEST_TURN = Duration.ofSeconds(60);
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(30);

    void check(List<String> faults) {
        PropertyReader read = new PropertyReader("posthorn.health", faults);
        read.atLeast("standstill", Duration.ofMillis(1), standstill);
        read.atLeast("figures-every", Duration.ofMillis(1), figuresEvery);
        if (consumerLag != null) {
            read.atLeast("consumer-lag", Duration.ofMillis(1), consumerLag);
        }
    }

    Health.Limits limits() {
        return new Health.Limits(
                LONGEST_TURN,
                LONGEST_LOOK.plus(figuresEvery.multipliedBy(2)),
                standstill,
                Optional.ofNullable(consumerLag));
    }
}
