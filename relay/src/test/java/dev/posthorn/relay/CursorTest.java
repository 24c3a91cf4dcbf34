package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class CursorTest {

    private static final Snapshot EARLY = new Snapshot("10:20:10,15");
    private static final Snapshot LATER = new Snapshot("30:30:");

    @Test
    void coversWhatItsSnapshotSeesUpToItsPosition() {
        Cursor cursor = Cursor.at(EARLY, 100);
        assertThat(cursor.covers(11, 100)).isTrue();
        assertThat(cursor.covers(11, 101)).isFalse();
    }

    @Test
    void doesNotCoverARowThatCommittedLateHoweverLowItsSeq() {
        Cursor cursor = Cursor.at(EARLY, 100);
        assertThat(cursor.covers(10, 1)).isFalse();
        assertThat(cursor.covers(25, 1)).isFalse();
    }

    @Test
    void coversLateRowsOfThePinnedMomentOnlyAsFarAsTheyWerePaged() {
        Cursor cursor = Cursor.at(EARLY, 100).pinnedAt(LATER).latePassed(50);
        assertThat(cursor.covers(10, 50)).isTrue();
        assertThat(cursor.covers(10, 51)).isFalse();
        assertThat(cursor.covers(11, 51)).isTrue();
    }

    @Test
    void doesNotCoverLateRowsThatCommittedAfterThePinnedMoment() {
        Cursor cursor = Cursor.at(EARLY, 100).pinnedAt(LATER).latePassed(50);
        assertThat(cursor.covers(30, 20)).isFalse();
    }

    @Test
    void coversNoLateRowYetWhenThePagingBegins() {
        Cursor cursor = Cursor.at(EARLY, 100).pinnedAt(LATER);
        assertThat(cursor.covers(10, 1)).isFalse();
        assertThat(cursor.covers(11, 100)).isTrue();
    }

    @Test
    void standsAtThePinnedMomentOnceAllLateRowsAreRead() {
        Cursor cursor = Cursor.at(EARLY, 100).pinnedAt(LATER).latePassed(50).unpinned();
        assertThat(cursor).isEqualTo(Cursor.at(LATER, 100));
        assertThat(cursor.covers(10, 99)).isTrue();
    }

    @Test
    void canNotBeUnpinnedIfItIsNotPinned() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Cursor.at(EARLY, 100).unpinned())
                .withMessageContaining("not pinned");
    }
}
