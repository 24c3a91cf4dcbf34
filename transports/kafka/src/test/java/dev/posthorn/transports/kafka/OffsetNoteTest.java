package dev.posthorn.transports.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffsetNoteTest {

    @Test
    void whatWasWrittenIsReadAgain() {
        List<Long> open = List.of(1_000L, 1_002L, 1_005L);

        String text = OffsetNote.write(open, 1_020, OptionalInt.empty());

        assertThat(text).isEqualTo("posthorn 1 0 2 5 20");
        assertThat(OffsetNote.read(1_000, text)).isEqualTo(new OffsetNote(open, 1_020, OptionalInt.empty()));
    }

    @Test
    void theLeaderEpochOfTheLastRecordIsKept() {
        List<Long> open = List.of(1_000L, 1_002L);

        String text = OffsetNote.write(open, 1_020, OptionalInt.of(7));

        assertThat(text).isEqualTo("posthorn 2 7 0 2 20");
        assertThat(OffsetNote.read(1_000, text)).isEqualTo(new OffsetNote(open, 1_020, OptionalInt.of(7)));
    }

    @Test
    void nothingOpenNeedsNoText() {
        assertThat(OffsetNote.write(List.of(), 7, OptionalInt.of(2))).isEmpty();
        assertThat(OffsetNote.read(7, "")).isEqualTo(new OffsetNote(List.of(), 7, OptionalInt.empty()));
    }

    @Test
    void whatDoesNotFitComesAgain() {
        List<Long> open = LongStream.range(0, 5_000).map(i -> i * 3).boxed().toList();

        String text = OffsetNote.write(open, 15_000, OptionalInt.of(3));

        OffsetNote read = OffsetNote.read(0, text);
        assertThat(text.length()).isLessThan(4_096);
        assertThat(open).startsWith(read.open().toArray(Long[]::new));
        assertThat(read.next()).isEqualTo(open.get(read.open().size()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "from another program",
                "posthorn 1 ",
                "posthorn 1 0 x",
                "posthorn 1 5 3",
                "posthorn 1 -4 9",
                "posthorn 2 ",
                "posthorn 2 4",
                "posthorn 2 x 0 4",
                "posthorn 2 -1 0 4",
                "posthorn 3 1 0 4"
            })
    void aTextOfSomebodyElseSaysNothing(String foreign) {
        assertThat(OffsetNote.read(3, foreign)).isEqualTo(new OffsetNote(List.of(), 3, OptionalInt.empty()));
    }
}
