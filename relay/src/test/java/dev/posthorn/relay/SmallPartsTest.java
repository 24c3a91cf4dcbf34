package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The relay's values and its breaker and pacing, each by itself. */
class SmallPartsTest {

    @Test
    void aSnapshotSeesWhatHadEndedAndNothingElse() {
        Snapshot snapshot = new Snapshot("10:20:10,14");

        assertThat(snapshot.sees(9)).isTrue();
        assertThat(snapshot.sees(13)).isTrue();
        assertThat(snapshot.sees(10)).isFalse();
        assertThat(snapshot.sees(14)).isFalse();
        assertThat(snapshot.sees(20)).isFalse();
    }

    @Test
    void aTransactionThatHasBeenOpenForLongDoesNotWidenTheSearchForLateRows() {
        Snapshot snapshot = new Snapshot("5:50000:5,49990,49995");

        assertThat(snapshot.lateFloor()).isEqualTo(49_990);
        assertThat(snapshot.oldInProgress()).containsExactly(5L);
        assertThat(new Snapshot("7:7:").lateFloor()).isEqualTo(7);
    }

    @Test
    void aCursorCoversWhatItsSnapshotSawUpToItsPosition() {
        Cursor cursor = Cursor.at(new Snapshot("10:20:10,14"), 100);

        assertThat(cursor.covers(12, 100)).isTrue();
        assertThat(cursor.covers(12, 101)).isFalse();
        assertThat(cursor.covers(14, 50)).isFalse();
    }

    @Test
    void aPinnedCursorAlsoCoversLateRowsUpToWhereTheyWereRead() {
        Cursor pinned = new Cursor(new Snapshot("10:20:10,14"), 100, new Snapshot("10:30:10"), 40);

        assertThat(pinned.covers(14, 40)).isTrue();
        assertThat(pinned.covers(14, 41)).isFalse();
        assertThat(pinned.covers(10, 40)).isFalse();
        assertThat(pinned.unpinned()).isEqualTo(Cursor.at(new Snapshot("10:30:10"), 100));
    }

    @Test
    void theBreakerLetsOneProbeThroughAtATimeWithGrowingPauses() {
        Breaker breaker = new Breaker();
        breaker.open("down", 0);
        long first = breaker.probeAt();

        assertThat(breaker.takeProbe(first - 1)).isFalse();
        assertThat(breaker.takeProbe(first)).isTrue();
        assertThat(breaker.takeProbe(first)).isFalse();
        breaker.open("still down", first);

        assertThat(breaker.probeAt() - first).isEqualTo(2 * first);
        assertThat(breaker.reason()).isEqualTo("still down");
        breaker.close();
        assertThat(breaker.isOpen()).isFalse();
    }

    @Test
    void anOutageOfADayIsProbedEveryTenSecondsAtTheLatest() {
        Breaker breaker = new Breaker();
        long now = 0;
        breaker.open("down", now);
        for (int i = 0; i < 50; i++) {
            now = breaker.probeAt();
            assertThat(breaker.takeProbe(now)).isTrue();
            breaker.open("down", now);
        }
        assertThat(breaker.probeAt() - now).isEqualTo(Duration.ofSeconds(10).toNanos());
    }

    @Test
    void theReaderNeverWaitsInABacklogAndLongerTheLongerNothingCame() {
        long second = Duration.ofSeconds(1).toNanos();
        Pacing pacing = new Pacing(Duration.ofMillis(500), 0);

        assertThat(pacing.after(512, 512, 0)).isZero();
        assertThat(pacing.after(3, 512, 0)).isLessThanOrEqualTo(Duration.ofMillis(2));
        assertThat(pacing.after(0, 512, second)).isLessThanOrEqualTo(Duration.ofMillis(4));
        Duration before = Duration.ZERO;
        for (int i = 0; i < 100; i++) {
            Duration pause = pacing.after(0, 512, 10 * second);
            assertThat(pause).isGreaterThanOrEqualTo(before);
            before = pause;
        }
        assertThat(before).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void everyFaultOfAConfigurationIsReportedAtOnce() {
        RelayConfig standard = RelayConfig.standard();

        assertThatThrownBy(() -> new RelayConfig(
                        Duration.ofMillis(10),
                        standard.publishTimeout(),
                        0,
                        standard.lane(),
                        standard.flush(),
                        0,
                        standard.maxBlockedKeys(),
                        standard.idlePoll()))
                .hasMessageContaining("leaseTtl must be at least 1s")
                .hasMessageContaining("page must be at least 1")
                .hasMessageContaining("maxInFlight must be at least 1");
    }
}
