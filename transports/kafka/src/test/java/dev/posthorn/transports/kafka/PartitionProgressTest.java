package dev.posthorn.transports.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;

class PartitionProgressTest {

    private final PartitionProgress progress = new PartitionProgress(null);

    @Test
    void aRecordThatIsNotDoneHoldsTheMarkHoweverManyLaterOnesAre() {
        take(10, 11, 12, 13);

        progress.done(11);
        progress.done(12);
        progress.done(13);

        assertThat(progress.due()).isEqualTo(new OffsetAndMetadata(10, "posthorn 1 0 4"));
        progress.done(10);
        assertThat(progress.due()).isEqualTo(new OffsetAndMetadata(14, ""));
    }

    @Test
    void theNextMemberTakesOnlyWhatIsOpen() {
        PartitionProgress next = new PartitionProgress(new OffsetAndMetadata(10, "posthorn 1 0 2 4"));

        assertThat(next.take(10)).isTrue();
        next.done(10);
        assertThat(next.take(11)).isFalse();
        assertThat(next.take(12)).isTrue();
        assertThat(next.take(13)).isFalse();
        assertThat(next.take(14)).isTrue();
        assertThat(next.due()).isEqualTo(new OffsetAndMetadata(12, "posthorn 1 0 2 3"));
    }

    @Test
    void whatIsGoneFromTheLogHoldsNothingUp() {
        PartitionProgress next = new PartitionProgress(new OffsetAndMetadata(10, "posthorn 1 0 2 4"));

        next.take(20);
        next.done(20);

        assertThat(next.due()).isEqualTo(new OffsetAndMetadata(21, ""));
    }

    @Test
    void aLogThatBeginsAnewIsTakenFromItsBeginning() {
        PartitionProgress next = new PartitionProgress(new OffsetAndMetadata(10, "posthorn 1 0 2 4"));

        assertThat(next.take(0)).isTrue();
        assertThat(next.take(1)).isTrue();

        next.done(0);
        assertThat(next.due()).isEqualTo(new OffsetAndMetadata(1, "posthorn 1 0 1"));
    }

    @Test
    void whatIsCommittedIsNotDueAgain() {
        take(5);
        progress.done(5);
        OffsetAndMetadata due = new OffsetAndMetadata(6, "");
        assertThat(progress.due()).isEqualTo(due);

        progress.committed(due);

        assertThat(progress.due()).isNull();
    }

    @Test
    void aDeadLetterOnItsWayHoldsTheMark() {
        take(5, 6);
        progress.done(6);

        progress.dying();
        assertThat(progress.due()).isEqualTo(new OffsetAndMetadata(5, "posthorn 1 0 2"));

        progress.dead(5);
        assertThat(progress.due()).isEqualTo(new OffsetAndMetadata(7, ""));
    }

    private void take(long... offsets) {
        for (long offset : offsets) {
            assertThat(progress.take(offset)).isTrue();
        }
    }
}
