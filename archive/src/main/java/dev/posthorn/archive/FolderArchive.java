package dev.posthorn.archive;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.zip.ZipException;

/**
 * An archive in a folder, which may be a mounted one.
 *
 * <p>Each volume is a folder of its own with the files {@code events.jsonl.gz} and {@code manifest.json}. It is written
 * under a hidden name, forced to disk, read back, and renamed, so that it appears as a whole. Only the user of this
 * process may read it, where the file system knows users.
 *
 * <p>The folder must be there: one that is made because a mount is missing would take the events to the wrong disk.
 * Not found: a volume that was removed altogether.
 */
public final class FolderArchive implements Archive {

    static final String EVENTS = "events.jsonl.gz";
    static final String MANIFEST = "manifest.json";
    static final String DRAFT = ".draft-";

    private static final String FILE_SYSTEMS_OWN = "lost+found";
    private static final Duration FORGOTTEN = Duration.ofDays(1);

    /** Where a test may let the machine fail, in the order in which they are reached. */
    enum Step {
        BEGUN,
        EVENT_ADDED,
        EVENTS_FORCED,
        EVENTS_READ_BACK,
        MANIFEST_FORCED,
        RENAMED,
        FOLDER_FORCED,
        CLOSING
    }

    /** Called when a step is done. */
    interface Steps {
        void reached(Step step) throws IOException;
    }

    private final Path folder;
    private final Steps steps;

    public FolderArchive(Path folder) {
        this(folder, step -> {});
    }

    FolderArchive(Path folder, Steps steps) {
        this.folder = folder;
        this.steps = steps;
    }

    @Override
    public Draft begin() {
        try {
            requireFolder();
            removeForgottenDrafts();
            return FolderDraft.begin(folder, steps);
        } catch (IOException failed) {
            throw cannotWrite(folder, failed);
        }
    }

    @Override
    public List<Volume> list() {
        try {
            requireFolder();
            List<Volume> volumes = new ArrayList<>();
            for (Path volume : folders("[!.]*")) {
                if (!FILE_SYSTEMS_OWN.equals(nameOf(volume))) {
                    volumes.add(described(volume));
                }
            }
            volumes.sort(Comparator.comparing(Volume::name));
            return volumes;
        } catch (IOException failed) {
            throw cannotRead(failed);
        }
    }

    @Override
    public Volume verify(String name, LongConsumer progress) {
        Path volume = folder.resolve(name).normalize();
        if (!folder.normalize().equals(volume.getParent())) {
            throw new IllegalArgumentException("\"" + name + "\" is not the name of a volume.");
        }
        try {
            Volume described = described(volume);
            Optional<Manifest> expected = described.manifest();
            if (expected.isEmpty() || described.fault().isPresent()) {
                return described;
            }
            String differences =
                    EventsFile.read(volume.resolve(EVENTS), progress).differencesFrom(expected.get());
            return differences.isEmpty()
                    ? described
                    : Volume.damaged(name, expected, EVENTS + " is not what was archived: " + differences);
        } catch (EOFException cutOff) {
            return Volume.damaged(name, manifestOf(volume), EVENTS + " is cut off");
        } catch (ZipException damaged) {
            return Volume.damaged(name, manifestOf(volume), EVENTS + " is damaged: " + damaged.getMessage());
        } catch (IOException failed) {
            throw cannotRead(failed);
        }
    }

    /** What a look at its names and its manifest tells. */
    private Volume described(Path volume) throws IOException {
        String name = nameOf(volume);
        if (!Files.exists(volume.resolve(MANIFEST))) {
            return Volume.damaged(
                    name, Optional.empty(), MANIFEST + " is missing, so there is no checksum to compare with");
        }
        Optional<Manifest> manifest = manifestOf(volume);
        if (manifest.isEmpty()) {
            return Volume.damaged(name, manifest, MANIFEST + " is damaged");
        }
        if (!Files.exists(volume.resolve(EVENTS))) {
            return Volume.damaged(name, manifest, EVENTS + " is missing");
        }
        String rightName = manifest.get().volumeName();
        if (!rightName.equals(name)) {
            return Volume.damaged(name, manifest, "its content was archived under another name: " + rightName);
        }
        long bytes = Files.size(volume.resolve(EVENTS));
        return bytes == manifest.get().bytes()
                ? Volume.sound(name, manifest.get())
                : Volume.damaged(
                        name,
                        manifest,
                        EVENTS + " has " + bytes + " bytes instead of "
                                + manifest.get().bytes());
    }

    private Optional<Manifest> manifestOf(Path volume) {
        try {
            byte[] json = Files.readAllBytes(volume.resolve(MANIFEST));
            return Manifest.parse(new String(json, StandardCharsets.UTF_8));
        } catch (IOException failed) {
            throw cannotRead(failed);
        }
    }

    private void requireFolder() throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new NoSuchFileException("there is no such folder; create it, or mount it");
        }
    }

    /** Left by crashes. One that is being written is not as old as that. */
    private void removeForgottenDrafts() throws IOException {
        Instant old = Instant.now().minus(FORGOTTEN);
        for (Path draft : folders(DRAFT + "*")) {
            if (Files.getLastModifiedTime(draft).toInstant().isBefore(old)) {
                FolderDraft.remove(draft);
            }
        }
    }

    private List<Path> folders(String glob) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry)) {
                    found.add(entry);
                }
            }
        }
        return found;
    }

    private static String nameOf(Path volume) {
        return String.valueOf(volume.getFileName());
    }

    /** Makes the names in a folder durable. */
    static void forceFolder(Path folder) throws IOException {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    static ArchiveException cannotWrite(Path folder, IOException failed) {
        return new ArchiveException(
                "The archive " + folder + " can not be written: " + reasonOf(failed)
                        + ". No event was removed for it; see to the folder, its space and its rights.",
                failed);
    }

    private ArchiveException cannotRead(IOException failed) {
        return new ArchiveException("The archive " + folder + " can not be read: " + reasonOf(failed) + ".", failed);
    }

    private static String reasonOf(IOException failed) {
        String message = failed.getMessage();
        return message == null ? failed.getClass().getSimpleName() : message;
    }
}
