package dev.posthorn.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Four volumes, of which the index knows, and what may become of them. */
class FolderIndexTest {

    @TempDir
    private Path folder;

    private FolderArchive archive = new FolderArchive(Path.of(""));
    private List<String> names = List.of();

    @BeforeEach
    void fourVolumes() {
        archive = new FolderArchive(folder);
        names = IntStream.rangeClosed(1, 4).mapToObj(this::write).toList();
    }

    @Test
    void allIsWell() {
        assertThat(faults()).isEmpty();
        assertThat(archive.list()).extracting(Volume::name).containsExactlyInAnyOrderElementsOf(names);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aVolumeThatWasRemovedWholeIsMissed(int which) throws IOException {
        FolderDraft.remove(folder.resolve(names.get(which)));

        assertThat(faults())
                .containsExactly(entry(names.get(which), "the volume is missing; it is named by index.jsonl"));
        assertThat(archive.verify(names.get(which), events -> {}).fault()).contains("the volume is missing");
    }

    @Test
    void allVolumesThatWereRemovedAreMissed() throws IOException {
        for (String name : names) {
            FolderDraft.remove(folder.resolve(name));
        }

        assertThat(faults()).containsOnlyKeys(names);
    }

    @Test
    void withoutTheIndexAVolumeIsMissedByTheOneAfterIt() throws IOException {
        Files.delete(folder.resolve(Index.FILE));
        FolderDraft.remove(folder.resolve(names.get(1)));

        assertThat(faults())
                .containsOnlyKeys(Index.FILE, names.get(1))
                .containsEntry(
                        names.get(1), "the volume is missing; it is named by " + names.get(2) + "/previous.json");
    }

    @Test
    void anIndexThatIsGoneIsMissedUntilTheNextVolumeIsWritten() throws IOException {
        Files.delete(folder.resolve(Index.FILE));

        assertThat(faults()).containsOnlyKeys(Index.FILE);

        write(5);
        assertThat(faults()).isEmpty();
    }

    @Test
    void aVolumeThatWasReplacedIsFound() throws IOException {
        Path other = Files.createDirectory(folder.resolve(".other"));
        String same =
                ArchivedEvents.write(new FolderArchive(other), eventsOf(3)).name();
        assertThat(same).isEqualTo(names.get(2));
        FolderDraft.remove(folder.resolve(same));
        Files.move(other.resolve(same), folder.resolve(same)); // the same events, but from another archive

        assertThat(faults()).containsOnlyKeys(same);
        assertThat(archive.verify(same, events -> {}).fault().orElseThrow()).contains("was changed or replaced");
    }

    @Test
    @Tag("slow")
    void everyChangeOfWhatAVolumeKnowsOfTheOneBeforeItIsFound() throws IOException {
        Path file = folder.resolve(names.get(2)).resolve(Index.PREVIOUS);
        byte[] right = Files.readAllBytes(file);
        for (int i = 0; i < right.length; i++) {
            byte[] wrong = right.clone();
            wrong[i] ^= 1;
            Files.write(file, wrong);

            assertThat(archive.verify(names.get(2), events -> {}).fault()).isPresent();
        }
        Files.delete(file);
        assertThat(faults()).containsKey(names.get(2));
    }

    @Test
    void linesThatChangedPlacesAreFound() throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve(Index.FILE));
        Files.writeString(
                folder.resolve(Index.FILE),
                String.join("\n", List.of(lines.get(0), lines.get(2), lines.get(1), lines.get(3))) + "\n");

        assertThat(faults()).containsExactly(entry(Index.FILE, "line 2 is damaged, or not where it was written"));
    }

    @Test
    @Tag("slow")
    void everyChangedByteOfTheIndexIsFound() throws IOException {
        byte[] right = Files.readAllBytes(folder.resolve(Index.FILE));
        for (int i = 0; i < right.length - 1; i++) { // without its last end a line is one that a crash cut off
            byte[] wrong = right.clone();
            wrong[i] ^= 1;
            Files.write(folder.resolve(Index.FILE), wrong);

            assertThat(faults()).as("byte %d", i).isNotEmpty();
        }
    }

    @Test
    @Tag("slow")
    void anIndexThatWasCutOffIsFoundUnlessACrashCouldHaveDoneIt() throws IOException {
        byte[] right = Files.readAllBytes(folder.resolve(Index.FILE));
        int lastLine = new String(right, StandardCharsets.US_ASCII).lastIndexOf('\n', right.length - 2) + 1;
        for (int length = 0; length < right.length; length++) {
            Files.write(folder.resolve(Index.FILE), Arrays.copyOf(right, length));

            assertThat(faults().isEmpty())
                    .as("%d of %d bytes", length, right.length)
                    .isEqualTo(length >= lastLine);
        }
    }

    @Test
    void whatACrashLeftOfALineIsRemovedByTheNextVolume() throws IOException {
        byte[] right = Files.readAllBytes(folder.resolve(Index.FILE));
        Files.write(folder.resolve(Index.FILE), Arrays.copyOf(right, right.length - 20));

        String next = write(5);

        assertThat(faults()).isEmpty();
        assertThat(Index.read(folder).lines())
                .extracting(Index.Line::volume)
                .containsExactly(names.get(0), names.get(1), names.get(2), names.get(3), next);
    }

    @Test
    void volumesFromBeforeTheIndexAreSoundAndAreEnteredWithTheNextOne() throws IOException {
        Files.delete(folder.resolve(Index.FILE));
        for (String name : names) {
            Files.deleteIfExists(folder.resolve(name).resolve(Index.PREVIOUS));
        }
        assertThat(faults()).isEmpty();

        write(5);

        assertThat(faults()).isEmpty();
        FolderDraft.remove(folder.resolve(names.get(0)));
        assertThat(faults()).containsOnlyKeys(names.get(0));
    }

    @Test
    void aVolumeThatIsRemovedOnPurposeIsNotMissed() {
        archive.remove(names.get(1));

        assertThat(faults()).isEmpty();
        assertThat(archive.list()).hasSize(3);
        assertThat(folder.resolve(names.get(1))).doesNotExist();
        write(5);
        assertThat(faults()).isEmpty();
        assertThatThrownBy(() -> archive.remove("no-such")).hasMessageContaining("there is no volume no-such");
    }

    @Test
    void twoAtATimeAreBothEntered() throws InterruptedException {
        ExecutorService two = Executors.newFixedThreadPool(2);
        for (int i = 5; i < 25; i++) {
            int which = i;
            two.execute(() -> write(which));
        }
        two.shutdown();
        assertThat(two.awaitTermination(1, TimeUnit.MINUTES)).isTrue();

        assertThat(archive.list()).hasSize(24);
        assertThat(faults()).isEmpty();
    }

    private String write(int volume) {
        return ArchivedEvents.write(archive, eventsOf(volume)).name();
    }

    private static List<ArchivedEvent> eventsOf(int volume) {
        return List.of(ArchivedEvents.fixed(volume * 10L), ArchivedEvents.fixed(volume * 10L + 1));
    }

    private Map<String, String> faults() {
        return archive.list().stream()
                .filter(volume -> volume.fault().isPresent())
                .collect(Collectors.toMap(Volume::name, volume -> volume.fault().orElseThrow()));
    }
}
