package dev.posthorn.transports.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;

class PartitionProgressTest {

    private static final Optional<Integer> NO_EPOCH = Optional.empty();

    private final PartitionProgress progress = new PartitionProgress(null);

    @Test
    void aRecordThatIsNotDoneHoldsTheMarkHoweverManyLaterOnesAre() {
        take(10, 11, 12, 13);

        progress.done(11, NO_EPOCH);
        progress.done(12, NO_EPOCH);
        progress.done(13, NO_EPOCH);

        assertThat(progress.due()).isEqualTo(new OffsetAndMetadata(10, "posthorn 1 0 4"));
        progress.done(10, NO_EPOCH);
        assertThat(progress.due()).isEqualTo(new OffsetAndMetadata(14, ""));
    }

    @Test
    void theNextMemberTakesOnlyWhatIsOpen() {
        PartitionProgress next = new PartitionProgress(new OffsetAndMetadata(10, "posthorn 1 0 2 4"));

        assertThat(next.take(10, NO_EPOCH)).isTrue();
        next.done(10, NO_EPOCH);
        assertThat(next.take(11, NO_EPOCH)).isFalse();
        assertThat(next.take(12, NO_EPOCH)).isTrue();
        assertThat(next.take(13, NO_EPOCH)).isFalse();
        assertThat(next.take(14, NO_EPOCH)).isTrue();
        assertThat(next.due()).isEqualTo(new OffsetAndMetadata(12, "posthorn 1 0 2 3"));
    }

    @Test
    void whatIsGoneFromTheLogHoldsNothingUp() {
        PartitionProgress next = new PartitionProgress(new OffsetAndMetadata(10, "posthorn 1 0 2 4"));

        next.take(20, NO_EPOCH);
        next.done(20, NO_EPOCH);

        assertThat(next.due()).isEqualTo(new OffsetAndMetadata(21, ""));
    }

    @Test
    void aLogThatBeginsAnewIsTakenFromItsBeginning() {
        PartitionProgress next = new PartitionProgress(new OffsetAndMetadata(10, "posthorn 1 0 2 4"));

        assertThat(next.take(0, NO_EPOCH)).isTrue();
        assertThat(next.take(1, NO_EPOCH)).isTrue();

        next.done(0, NO_EPOCH);
        assertThat(next.due()).isEqualTo(new OffsetAndMetadata(1, "posthorn 1 0 1"));
    }

    @Test
    void theLeaderEpochGoesWithTheOffsetAndWithTheNote() {
        assertThat(progress.take(10, Optional.of(3))).isTrue();
        assertThat(progress.take(11, Optional.of(3))).isTrue();
        assertThat(progress.take(12, Optional.of(4))).isTrue();
        progress.done(10, NO_EPOCH);
        progress.done(12, NO_EPOCH);

        assertThat(progress.due()).isEqualTo(new OffsetAndMetadata(11, Optional.of(3), "posthorn 2 4 0 2"));
        progress.done(11, NO_EPOCH);
        assertThat(progress.due()).isEqualTo(new OffsetAndMetadata(13, Optional.of(4), ""));
    }

    @Test
    void aRecordOfALaterLeaderIsNewAlthoughOneOfItsOffsetWasDone() {
        PartitionProgress next =
                new PartitionProgress(new OffsetAndMetadata(10, Optional.of(2), "posthorn 2 3 0 2 10"));

        assertThat(next.take(10, Optional.of(2))).isTrue();
        assertThat(next.take(11, Optional.of(3))).as("done before").isFalse();
        // An unclean election cut the log here; a leader of epoch 5 has written 12 and those behind it.
        assertThat(next.take(12, Optional.of(5))).isTrue();
        assertThat(next.take(13, Optional.of(5))).isTrue();
        next.done(12, NO_EPOCH);

        assertThat(next.due()).isEqualTo(new OffsetAndMetadata(10, Optional.of(2), "posthorn 2 5 0 3 4"));
    }

    @Test
    void aLogThatWasCutUnderALivingMemberKeepsWhatIsStillOpenBelowTheCut() {
        for (long offset = 10; offset < 15; offset++) {
            assertThat(progress.take(offset, Optional.of(1))).isTrue();
        }
        progress.done(11, NO_EPOCH);
        progress.done(13, NO_EPOCH);

        assertThat(progress.take(12, Optional.of(2)))
                .as("the log was cut at 12")
                .isTrue();
        progress.done(12, Optional.of(1)); // the record that was there before
        assertThat(progress.due()).isEqualTo(new OffsetAndMetadata(10, "posthorn 2 2 0 2 3"));
        progress.done(12, NO_EPOCH);

        assertThat(progress.due())
                .as("10 is still being handled")
                .isEqualTo(new OffsetAndMetadata(10, "posthorn 2 2 0 3"));
    }

    @Test
    void whatIsCommittedIsNotDueAgain() {
        take(5);
        progress.done(5, NO_EPOCH);
        OffsetAndMetadata due = new OffsetAndMetadata(6, "");
        assertThat(progress.due()).isEqualTo(due);

        progress.committed(due);

        assertThat(progress.due()).isNull();
    }

    @Test
    void aDeadLetterOnItsWayHoldsTheMark() {
        take(5, 6);
        progress.done(6, NO_EPOCH);

        progress.dying();
        assertThat(progress.due()).isEqualTo(new OffsetAndMetadata(5, "posthorn 1 0 2"));

        progress.dead(5, NO_EPOCH);
        assertThat(progress.due()).isEqualTo(new OffsetAndMetadata(7, ""));
    }

    private void take(long... offsets) {
        for (long offset : offsets) {
            assertThat(progress.take(offset, NO_EPOCH)).isTrue();
        }
    }
}
