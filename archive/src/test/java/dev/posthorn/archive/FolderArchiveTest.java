package dev.posthorn.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.archive.FolderArchive.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FolderArchiveTest {

    @TempDir
    private Path folder;

    @Test
    void aVolumeIsListedByItsManifestAndVerified() {
        FolderArchive archive = new FolderArchive(folder);

        Volume written = ArchivedEvents.write(archive, ArchivedEvents.events(25_000));

        assertThat(archive.list()).containsExactly(written);
        List<Long> progress = new ArrayList<>();
        assertThat(archive.verify(written.name(), progress::add)).isEqualTo(written);
        assertThat(progress).containsExactly(10_000L, 20_000L);
        Manifest manifest = written.manifest().orElseThrow();
        assertThat(written.name()).startsWith("2026-03-01T10-00-01Z-");
        assertThat(manifest.events()).isEqualTo(25_000);
        assertThat(manifest.firstSeq()).isEqualTo(1);
        assertThat(manifest.lastSeq()).isEqualTo(25_000);
        assertThat(manifest.firstCreatedAt()).isEqualTo(ArchivedEvents.FIRST.plusSeconds(1));
        assertThat(manifest.lastCreatedAt()).isEqualTo(ArchivedEvents.FIRST.plusSeconds(25_000));
    }

    @Test
    void theEventsOfAVolumeAreReadBackOneByOne() {
        FolderArchive archive = new FolderArchive(folder);
        List<ArchivedEvent> events = ArchivedEvents.events(1_000);
        Volume volume = ArchivedEvents.write(archive, events);

        assertThat(readAll(archive, volume)).isEqualTo(events);
    }

    @Test
    void aVolumeThatCanNotBeReadSaysWhere() throws IOException {
        FolderArchive archive = new FolderArchive(folder);
        Volume volume = ArchivedEvents.write(archive, ArchivedEvents.events(1_000));
        Path events = folder.resolve(volume.name()).resolve(FolderArchive.EVENTS);
        byte[] right = Files.readAllBytes(events);
        Files.write(events, Arrays.copyOf(right, right.length / 2));

        assertThatThrownBy(() -> readAll(archive, volume))
                .isInstanceOf(ArchiveException.class)
                .hasMessageContaining("can not be read after")
                .hasMessageContaining("posthorn archive verify");
        assertThatThrownBy(() -> archive.read("no-such")).isInstanceOf(ArchiveException.class);
    }

    @Test
    void onlyItsOwnerMayReadIt() throws IOException {
        Volume volume = ArchivedEvents.write(new FolderArchive(folder), ArchivedEvents.events(1));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(volume.name()))))
                .isEqualTo("rwx------");
    }

    @Test
    void theSameEventsAreTheSameVolume() {
        FolderArchive archive = new FolderArchive(folder);
        List<ArchivedEvent> events = ArchivedEvents.events(3);
        Volume first = ArchivedEvents.write(archive, events);

        Volume second = ArchivedEvents.write(archive, events);

        assertThat(second).isEqualTo(first);
        assertThat(archive.list()).containsExactly(first);
        assertThat(entries()).containsExactly(first.name());
    }

    @Test
    void theSameEventsDoNotCountAsArchivedByADamagedVolume() throws IOException {
        FolderArchive archive = new FolderArchive(folder);
        List<ArchivedEvent> events = ArchivedEvents.events(3);
        Volume first = ArchivedEvents.write(archive, events);
        Files.delete(folder.resolve(first.name()).resolve(FolderArchive.MANIFEST));

        assertThatThrownBy(() -> ArchivedEvents.write(archive, events))
                .isInstanceOf(ArchiveException.class)
                .hasMessageContaining(first.name())
                .hasMessageContaining("manifest.json is missing");
    }

    @Test
    @Tag("slow")
    void everyFlippedBitIsFound() throws IOException {
        FolderArchive archive = new FolderArchive(folder);
        Volume volume = ArchivedEvents.write(archive, ArchivedEvents.events(2));
        for (String name : List.of(FolderArchive.EVENTS, FolderArchive.MANIFEST)) {
            Path file = folder.resolve(volume.name()).resolve(name);
            byte[] right = Files.readAllBytes(file);
            for (int bit = 0; bit < right.length * 8; bit++) {
                byte[] wrong = right.clone();
                wrong[bit / 8] ^= (byte) (1 << bit % 8);
                Files.write(file, wrong);

                assertThat(fault(archive, volume)).as("bit %d of %s", bit, name).isPresent();
            }
            Files.write(file, right);
        }
        assertThat(fault(archive, volume)).isEmpty();
    }

    @Test
    void everyLengthButTheRightOneIsFound() throws IOException {
        FolderArchive archive = new FolderArchive(folder);
        Volume volume = ArchivedEvents.write(archive, ArchivedEvents.events(2));
        for (String name : List.of(FolderArchive.EVENTS, FolderArchive.MANIFEST)) {
            Path file = folder.resolve(volume.name()).resolve(name);
            byte[] right = Files.readAllBytes(file);
            for (int length = 0; length <= right.length + 5; length++) {
                Files.write(file, Arrays.copyOf(right, length));

                assertThat(fault(archive, volume).isPresent())
                        .as("%d bytes of %s", length, name)
                        .isEqualTo(length != right.length);
            }
            Files.write(file, right);
        }
    }

    @Test
    void aFileThatIsCutOffUnderAManifestOfItsSizeIsFound() throws IOException {
        FolderArchive archive = new FolderArchive(folder);
        Volume volume = ArchivedEvents.write(archive, ArchivedEvents.events(100));
        Path events = folder.resolve(volume.name()).resolve(FolderArchive.EVENTS);
        byte[] right = Files.readAllBytes(events);
        Manifest real = volume.manifest().orElseThrow();
        Manifest forged = new Manifest(
                real.sha256(),
                real.bytes() - 50,
                real.events(),
                real.firstSeq(),
                real.lastSeq(),
                real.firstCreatedAt(),
                real.lastCreatedAt());
        Files.write(events, Arrays.copyOf(right, right.length - 50));
        Files.writeString(folder.resolve(volume.name()).resolve(FolderArchive.MANIFEST), forged.toJson());

        assertThat(fault(archive, volume)).contains("events.jsonl.gz is cut off");
    }

    @Test
    void twoFilesThatChangedPlacesAreFound() throws IOException {
        FolderArchive archive = new FolderArchive(folder);
        Volume one = ArchivedEvents.write(archive, ArchivedEvents.events(3));
        Volume two = ArchivedEvents.write(archive, ArchivedEvents.events(4));

        swap(
                folder.resolve(one.name()).resolve(FolderArchive.EVENTS),
                folder.resolve(two.name()).resolve(FolderArchive.EVENTS));

        assertThat(fault(archive, one).orElseThrow()).contains("bytes instead of");
        assertThat(fault(archive, two).orElseThrow()).contains("bytes instead of");
    }

    @Test
    void twoVolumesThatChangedNamesAreFound() throws IOException {
        FolderArchive archive = new FolderArchive(folder);
        Volume one = ArchivedEvents.write(archive, ArchivedEvents.events(3));
        Volume two = ArchivedEvents.write(archive, ArchivedEvents.events(4));

        swap(folder.resolve(one.name()), folder.resolve(two.name()));

        assertThat(fault(archive, one)).contains("its content was archived under another name: " + two.name());
        assertThat(archive.list())
                .allSatisfy(volume -> assertThat(volume.fault()).isPresent());
    }

    @Test
    void aMissingFileIsFound() throws IOException {
        FolderArchive archive = new FolderArchive(folder);
        Volume one = ArchivedEvents.write(archive, ArchivedEvents.events(3));
        Volume two = ArchivedEvents.write(archive, ArchivedEvents.events(4));
        Files.delete(folder.resolve(one.name()).resolve(FolderArchive.MANIFEST));
        Files.delete(folder.resolve(two.name()).resolve(FolderArchive.EVENTS));

        assertThat(fault(archive, one)).contains("manifest.json is missing, so there is no checksum to compare with");
        assertThat(fault(archive, two)).contains("events.jsonl.gz is missing");
        assertThat(archive.list())
                .allSatisfy(volume -> assertThat(volume.fault()).isPresent());
    }

    @Test
    void whatDoesNotReadBackAsItWasWrittenIsNeverAVolume() {
        FolderArchive archive = new FolderArchive(folder, step -> {
            if (step == Step.EVENTS_FORCED) {
                Path events = folder.resolve(entries().get(0)).resolve(FolderArchive.EVENTS);
                byte[] bytes = Files.readAllBytes(events);
                bytes[4] ^= 1; // a time in the header, which nothing but the checksum covers
                Files.write(events, bytes);
            }
        });

        assertThatThrownBy(() -> ArchivedEvents.write(archive, ArchivedEvents.events(3)))
                .hasMessageContaining("reads back with sha256");
        assertThat(entries()).isEmpty();
    }

    /** The machine stops: nothing after this step is done, also no cleaning up. */
    @ParameterizedTest
    @EnumSource
    void afterACrashAVolumeIsThereAsAWholeOrNotAtAllAndNothingIsMissed(Step last) throws IOException {
        ArchivedEvents.write(new FolderArchive(folder), ArchivedEvents.events(2));
        boolean[] stopped = {false};
        FolderArchive crashing = new FolderArchive(folder, step -> {
            stopped[0] |= step == last;
            if (stopped[0]) {
                throw new IOException("the machine stopped");
            }
        });
        boolean shown = last.compareTo(Step.RENAMED) >= 0;
        if (last == Step.CLOSING) {
            ArchivedEvents.write(crashing, ArchivedEvents.events(3));
        } else {
            assertThatThrownBy(() -> ArchivedEvents.write(crashing, ArchivedEvents.events(3)))
                    .hasMessageContaining("the machine stopped")
                    .hasMessageContaining("No event was removed");
        }

        FolderArchive afterwards = new FolderArchive(folder);
        assertThat(afterwards.list()).hasSize(shown ? 2 : 1);
        assertAllIsWell(afterwards);
        assertThat(ArchivedEvents.write(afterwards, ArchivedEvents.events(3)).fault())
                .isEmpty();
        assertAllIsWell(afterwards);
        assertThat(Index.read(folder).lines())
                .extracting(Index.Line::volume)
                .containsExactlyInAnyOrderElementsOf(
                        afterwards.list().stream().map(Volume::name).toList());
    }

    @Test
    void aFullDiskLeavesNothingBehind() {
        int[] added = {0};
        FolderArchive full = new FolderArchive(folder, step -> {
            if (step == Step.EVENT_ADDED && ++added[0] == 2) {
                throw new IOException("No space left on device");
            }
        });

        assertThatThrownBy(() -> ArchivedEvents.write(full, ArchivedEvents.events(3)))
                .isInstanceOf(ArchiveException.class)
                .hasMessage("The archive " + folder + " can not be written: No space left on device."
                        + " No event was removed for it; see to the folder, its space and its rights.");
        assertThat(entries()).isEmpty();
    }

    /** A mount that is not there must not become a folder on the wrong disk. */
    @Test
    void aFolderThatIsMissingIsNotMade() {
        FolderArchive missing = new FolderArchive(folder.resolve("missing"));

        assertThatThrownBy(missing::begin)
                .isInstanceOf(ArchiveException.class)
                .hasMessageContaining("there is no such folder; create it, or mount it");
        assertThatThrownBy(missing::list).isInstanceOf(ArchiveException.class);
        assertThat(folder.resolve("missing")).doesNotExist();
    }

    @Test
    void aPlaceThatTakesNoFilesIsNamed() {
        // Also the superuser may write nothing there.
        FolderArchive readOnly = new FolderArchive(Path.of("/proc/self"));

        assertThatThrownBy(readOnly::begin)
                .isInstanceOf(ArchiveException.class)
                .hasMessageContaining("The archive /proc/self can not be written");
    }

    @Test
    void draftsThatCrashesLeftAreRemovedAfterADay() throws IOException {
        Path old = Files.createDirectory(folder.resolve(FolderArchive.DRAFT + "old"));
        Files.writeString(old.resolve(FolderArchive.EVENTS), "half");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
        Path young = Files.createDirectory(folder.resolve(FolderArchive.DRAFT + "young"));

        Volume volume = ArchivedEvents.write(new FolderArchive(folder), ArchivedEvents.events(1));

        assertThat(entries())
                .containsExactlyInAnyOrder(volume.name(), young.getFileName().toString());
        assertThat(new FolderArchive(folder).list()).containsExactly(volume);
    }

    @Test
    void whatIsNoVolumeIsLeftOut() throws IOException {
        Files.createDirectory(folder.resolve("lost+found"));
        Files.writeString(folder.resolve("README"), "ours");

        assertThat(new FolderArchive(folder).list()).isEmpty();
        assertThatThrownBy(() -> new FolderArchive(folder).verify("../elsewhere", events -> {}))
                .hasMessageContaining("is not the name of a volume");
    }

    private static List<ArchivedEvent> readAll(FolderArchive archive, Volume volume) {
        List<ArchivedEvent> read = new ArrayList<>();
        try (VolumeReader reader = archive.read(volume.name())) {
            for (Optional<ArchivedEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                read.add(next.get());
            }
            assertThat(reader.next()).isEmpty();
        }
        return read;
    }

    private static void assertAllIsWell(FolderArchive archive) {
        assertThat(archive.list()).isNotEmpty().allSatisfy(volume -> {
            assertThat(volume.fault()).isEmpty();
            assertThat(fault(archive, volume)).isEmpty();
        });
    }

    private static Optional<String> fault(FolderArchive archive, Volume volume) {
        return archive.verify(volume.name(), events -> {}).fault();
    }

    private void swap(Path one, Path two) throws IOException {
        Path aside = folder.resolve("aside");
        Files.move(one, aside);
        Files.move(two, one);
        Files.move(aside, two);
    }

    private List<String> entries() {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> !name.contains("index"))
                    .toList();
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
