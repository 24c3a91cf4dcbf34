package dev.posthorn.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.relay.RelayStatus;
import dev.posthorn.relay.RelayStatus.Obstacle;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HealthTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualClock clock = new ManualClock();
    private final Health health =
            new Health(clock, new Health.Limits(MINUTE, MINUTE, Duration.ofMinutes(5), Optional.of(MINUTE)));
    private final Pulse pulse = new Pulse(clock);
    private Duration overdue = Duration.ZERO;
    private Optional<String> outage = Optional.empty();

    @BeforeEach
    void aRelay() {
        health.watch("orders", this::status, () -> overdue, pulse);
        health.looked(look(Map.of(), Map.of()));
    }

    @Test
    void aRelayThatTicksOnADatabaseThatAnswersIsWell() {
        Health.Report report = health.report();

        assertThat(report.word()).isEqualTo("ok");
        assertThat(report.live()).isTrue();
        assertThat(report.ready()).isTrue();
        assertThat(report.findings()).isEmpty();
    }

    @Test
    void beforeTheFirstLookItIsNotReady() {
        Health fresh = new Health(clock, new Health.Limits(MINUTE, MINUTE, MINUTE, Optional.empty()));

        assertThat(fresh.report().ready()).isFalse();
        assertThat(fresh.report().live()).isTrue();
    }

    @Test
    void withoutABrokerItIsDegradedAndReadyAndNeverDead() {
        outage = Optional.of("connection refused");

        Health.Report report = health.report();

        assertThat(report.word()).isEqualTo("degraded");
        assertThat(report.ready()).isTrue();
        assertThat(report.live()).isTrue();
        assertThat(report.findings()).containsExactly("route orders publishes nothing: connection refused");
    }

    @Test
    void aLaneThatStandsStillMakesItUnreadyUnlessTheBrokerIsAway() {
        health.looked(look(Map.of("orders", Duration.ofMinutes(6)), Map.of()));
        assertThat(health.report().ready()).isFalse();
        assertThat(health.report().findings()).first().asString().contains("has not moved for 360 s");

        outage = Optional.of("connection refused");
        assertThat(health.report().ready()).isTrue();
    }

    @Test
    void withoutTheDatabaseItIsUnreadyAndLives() {
        health.looked(Look.failed(clock.instant(), "no answer"));

        assertThat(health.report().word()).isEqualTo("unready");
        assertThat(health.report().live()).isTrue();
    }

    @Test
    void aLookThatIsTooOldCountsAsNone() {
        clock.now = clock.now.plusSeconds(61);

        assertThat(health.report().word()).isEqualTo("unready");
    }

    @Test
    void loopsThatStoppedNeedARestart() {
        overdue = Duration.ofSeconds(61);

        assertThat(health.report().word()).isEqualTo("dead");
        assertThat(health.report().live()).isFalse();
        assertThat(health.report().ready()).isFalse();
    }

    @Test
    void aConsumerThatIsFarBehindIsNamed() {
        health.looked(look(Map.of(), Map.of("billing", Duration.ofMinutes(2), "fast", Duration.ofSeconds(1))));

        assertThat(health.report().word()).isEqualTo("degraded");
        assertThat(health.report().findings()).containsExactly("consumer billing is 120 s behind");
    }

    private Look look(Map<String, Duration> standing, Map<String, Duration> lag) {
        return new Look(clock.instant(), Optional.empty(), standing, lag);
    }

    private RelayStatus status() {
        Obstacle obstacle = outage.isPresent() ? Obstacle.DESTINATION : Obstacle.NONE;
        return new RelayStatus(List.of(1, 2), new RelayStatus.Totals(7, 1, 0, 9, 3, 0), 0, 0, 0, outage, obstacle);
    }

    /** Stands still until the test moves it. */
    private static final class ManualClock extends Clock {

        private Instant now = Instant.parse("2026-03-01T10:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
