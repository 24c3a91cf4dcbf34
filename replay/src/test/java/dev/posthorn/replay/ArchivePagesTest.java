package dev.posthorn.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.archive.ArchivedEvent;
import dev.posthorn.archive.Draft;
import dev.posthorn.archive.FolderArchive;
import dev.posthorn.event.Event;
import dev.posthorn.replay.ReplayStore.PageLimit;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of volumes that overlap, each in the order of lanes, come out by seq. */
class ArchivePagesTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir
    private Path folder;

    @BeforeEach
    void writeVolumes() {
        volume(LongStream.of(3, 7, 11, 60, 1, 9, 100));
        volume(LongStream.of(2, 8, 50, 4, 5));
        volume(LongStream.of(50, 70, 6)); // 50 twice: a crash came after the volume
    }

    @Test
    void allAreCountedOnce() {
        Source.Archived source = Source.archive(folder, Selection.ALL);

        assertThat(source.of()).isEqualTo(OptionalLong.of(14));
        assertThat(source.end()).isEqualTo(100);
        assertThat(source.volumes()).hasSize(3);
    }

    @Test
    void theyComeBySeqHoweverLittleIsKept() {
        Source.Archived source = Source.archive(folder, Selection.ALL);
        for (int kept = 1; kept <= 15; kept++) {
            for (int page = 1; page <= 6; page++) {
                assertThat(seqs(source, new PageLimit(kept, Long.MAX_VALUE), new PageLimit(page, Long.MAX_VALUE)))
                        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 11L, 50L, 60L, 70L, 100L);
            }
        }
    }

    @Test
    void bytesLimitWhatIsKeptAndAPage() {
        Source.Archived source = Source.archive(folder, Selection.ALL);

        assertThat(seqs(source, new PageLimit(1_000, 1_300), new PageLimit(1_000, 25)))
                .hasSize(14);
    }

    private List<Long> seqs(Source.Archived source, PageLimit kept, PageLimit limit) {
        ArchivePages pages = new ArchivePages(new FolderArchive(folder), source, Selection.ALL, kept);
        List<Long> seqs = new ArrayList<>();
        long after = 0;
        while (after < source.end()) {
            Page page = pages.page(after, limit);
            assertThat(page.entries().size()).isLessThanOrEqualTo(limit.events());
            assertThat(page.reach()).isGreaterThan(after);
            page.entries().forEach(entry -> seqs.add(entry.seq()));
            after = page.reach();
        }
        return seqs;
    }

    private void volume(LongStream seqs) {
        try (Draft draft = new FolderArchive(folder).begin()) {
            seqs.forEach(seq -> draft.add(new ArchivedEvent(
                    new ArchivedEvent.Place(seq, "700", 0, NOON.plusSeconds(seq)),
                    Event.of("shop", "Placed").json("\"ten bytes\"").build(),
                    null,
                    Map.of())));
            draft.finish();
        }
    }
}
