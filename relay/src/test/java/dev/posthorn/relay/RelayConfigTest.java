package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RelayConfigTest {

    @Test
    void theStandardIsAsDocumented() {
        RelayConfig standard = RelayConfig.standard();
        assertThat(standard.leaseTtl()).isEqualTo(Duration.ofSeconds(15));
        assertThat(standard.publishTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(standard.page()).isEqualTo(512);
        assertThat(standard.flush().every()).isEqualTo(Duration.ofMillis(50));
        assertThat(standard.flush().events()).isEqualTo(500);
        assertThat(standard.maxInFlight()).isEqualTo(10_000);
        assertThat(standard.maxBlockedKeys()).isEqualTo(1_000);
        assertThat(standard.idlePoll()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void everyFaultIsReportedAtOnceWithItsValue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RelayConfig(
                        Duration.ofMillis(10),
                        Duration.ZERO,
                        0,
                        new RelayConfig.LaneLimit(0, 0),
                        new RelayConfig.FlushPace(Duration.ZERO, 0, Duration.ZERO),
                        0,
                        -1,
                        Duration.ZERO))
                .withMessageContaining("leaseTtl must be at least 1s, but is PT0.01S")
                .withMessageContaining("publishTimeout must be positive")
                .withMessageContaining("page must be at least 1, but is 0")
                .withMessageContaining("lane limits must be at least 1")
                .withMessageContaining("flush.events must be at least 1, but is 0")
                .withMessageContaining("maxInFlight must be at least 1, but is 0")
                .withMessageContaining("maxBlockedKeys must be at least 1, but is -1")
                .withMessageContaining("idlePoll must be at least 1ms, but is PT0S");
    }

    @Test
    void aChangedKnobLeavesTheOthersAsTheyWere() {
        RelayConfig changed = RelayConfig.standard()
                .withPage(7)
                .withLeaseTtl(Duration.ofSeconds(2))
                .withPublishTimeout(Duration.ofSeconds(3))
                .withLane(new RelayConfig.LaneLimit(8, 9))
                .withMaxBlockedKeys(5)
                .withMaxInFlight(6)
                .withIdlePoll(Duration.ofMillis(4));
        assertThat(changed)
                .isEqualTo(new RelayConfig(
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        7,
                        new RelayConfig.LaneLimit(8, 9),
                        RelayConfig.standard().flush(),
                        6,
                        5,
                        Duration.ofMillis(4)));
    }
}
