package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SnapshotTest {

    @Test
    void itSeesWhatHadEnded() {
        Snapshot snapshot = new Snapshot("10:20:10,14");

        assertThat(LongStream.range(8, 22).filter(snapshot::sees))
                .containsExactly(8L, 9L, 11L, 12L, 13L, 15L, 16L, 17L, 18L, 19L);
    }

    @Test
    void withNothingRunningOnlyWhatCameAfterIsLate() {
        assertRange(new Snapshot("20:20:"), 20);
    }

    @Test
    void transactionsCloseTogetherAreOneRange() {
        assertRange(new Snapshot("5:20:5,12,13,19"), 5);
    }

    @Test
    void aTransactionThatIsLeftBehindIsLookedUpByItself() {
        assertRange(new Snapshot("5:40:5,12,38"), 38, 5L, 12L);
    }

    @Test
    void manyThatAreLeftBehindWidenTheRange() {
        List<Long> running =
                LongStream.range(0, 100).map(i -> 1_000 + 20 * i).boxed().toList();
        String list = running.stream().map(String::valueOf).collect(Collectors.joining(","));

        Snapshot snapshot = new Snapshot("1000:3000:" + list);

        assertThat(snapshot.oldInProgress()).isEqualTo(running.subList(0, 64));
        assertThat(snapshot.lateFloor()).isEqualTo(running.get(64));
    }

    @Test
    void notByTransactionsThatAreFarBehind() {
        List<Long> running =
                LongStream.range(0, 100).map(i -> 1_000 + 20 * i).boxed().toList();
        String list = running.stream().map(String::valueOf).collect(Collectors.joining(","));

        assertThat(new Snapshot("1000:99000:" + list).oldInProgress()).isEqualTo(running);
    }

    @Test
    void otherTextsAreRefused() {
        assertThatThrownBy(() -> new Snapshot("10:20")).hasMessageContaining("Not a pg_snapshot: 10:20");
    }

    private static void assertRange(Snapshot snapshot, long floor, Long... rest) {
        assertThat(snapshot.lateFloor()).isEqualTo(floor);
        assertThat(snapshot.oldInProgress()).containsExactly(rest);
    }
}
