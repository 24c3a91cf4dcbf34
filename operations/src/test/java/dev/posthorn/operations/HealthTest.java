package dev.posthorn.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.relay.RelayStatus;
import dev.posthorn.relay.RelayStatus.Obstacle;
import java.time.Duration;
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
    void aLaneOfItsOwnThatStandsStillMakesItUnreadyUnlessTheBrokerIsAway() {
        health.looked(look(standing(2), Map.of()));
        assertThat(health.report().ready()).isFalse();
        assertThat(health.report().findings())
                .containsExactly("lanes [2] of route orders have not moved for 360 s, and events wait in them");

        outage = Optional.of("connection refused");
        assertThat(health.report().ready()).isTrue();
    }

    @Test
    void lanesThatAnotherProcessHoldsAreToldAndLeaveItReady() {
        health.looked(look(standing(3), Map.of()));

        Health.Report report = health.report();

        assertThat(report.word()).isEqualTo("degraded");
        assertThat(report.ready()).isTrue();
        assertThat(report.findings())
                .containsExactly(
                        "lanes [3] of route orders have not moved for 360 s with another process or none, and events"
                                + " wait in them");
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsToldBeforeTheLookHasFailed() {
        health.looking();
        clock.now = clock.now.plusSeconds(3);

        Health.Report report = health.report();

        assertThat(report.word()).isEqualTo("degraded");
        assertThat(report.ready()).isTrue();
        assertThat(report.findings()).containsExactly("the database has not answered for 3 s");
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

    private static Map<String, Map<Integer, Duration>> standing(int lane) {
        return Map.of("orders", Map.of(lane, Duration.ofMinutes(6), 1, Duration.ofMinutes(1)));
    }

    private Look look(Map<String, Map<Integer, Duration>> standing, Map<String, Duration> lag) {
        return new Look(clock.instant(), Optional.empty(), standing, lag);
    }

    private RelayStatus status() {
        Obstacle obstacle = outage.isPresent() ? Obstacle.DESTINATION : Obstacle.NONE;
        return new RelayStatus(List.of(1, 2), new RelayStatus.Totals(7, 1, 0, 9, 3, 0), 0, 0, 0, outage, obstacle);
    }
}
