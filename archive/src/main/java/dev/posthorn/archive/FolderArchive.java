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
 * under a hidden name, forced to disk, read back, and renamed, so that it appears as a whole. Then it is entered in the
 * {@link Index}, by which a volume that is missing altogether is found. Only the user of this process may read a volume,
 * where the file system knows users.
 *
 * <p>The folder must be there: one that is made because a mount is missing would take the events to the wrong disk.
 * Not found: that the newest volumes were removed together with their lines of the index.
 */
public final class FolderArchive implements Archive {

    static final String EVENTS = "events.jsonl.gz";
    static final String MANIFEST = "manifest.json";
    static final String DRAFT = ".draft-";
    static final String REPLACED = MANIFEST + " or " + Index.PREVIOUS + " was changed or replaced, says ";

    private static final String FILE_SYSTEMS_OWN = "lost+found";
    private static final Duration FORGOTTEN = Duration.ofDays(1);

    /** Where a test may let the machine fail, in the order in which they are reached. */
    enum Step {
        BEGUN,
        EVENT_ADDED,
        EVENTS_FORCED,
        EVENTS_READ_BACK,
        INDEX_OPENED,
        MANIFEST_FORCED,
        RENAMED,
        FOLDER_FORCED,
        INDEXED,
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
            return FolderDraft.begin(this, steps);
        } catch (IOException failed) {
            throw cannotWrite(folder, failed);
        }
    }

    Path folder() {
        return folder;
    }

    @Override
    public List<Volume> list() {
        try {
            requireFolder();
            return new Inventory(this).take();
        } catch (IOException failed) {
            throw cannotRead(failed);
        }
    }

    @Override
    public Volume verify(String name, LongConsumer progress) {
        Path volume = placeOf(name);
        try {
            requireFolder();
            Volume described = described(volume, Index.read(folder));
            Optional<Manifest> expected = described.manifest();
            if (expected.isEmpty() || !Files.exists(volume.resolve(EVENTS))) {
                return described;
            }
            String differences =
                    EventsFile.read(volume.resolve(EVENTS), progress).differencesFrom(expected.get());
            return differences.isEmpty() || described.fault().isPresent()
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

    @Override
    public VolumeReader read(String name) {
        Path volume = placeOf(name);
        try {
            requireFolder();
            return FolderReader.open(volume.resolve(EVENTS));
        } catch (IOException failed) {
            throw cannotRead(failed);
        }
    }

    /**
     * Removes a volume on purpose, so that it is not missed.
     *
     * @throws ArchiveException if there is none of this name, or it can not be removed
     */
    public void remove(String name) {
        Path volume = placeOf(name);
        try {
            requireFolder();
            if (!Files.isDirectory(volume) && Index.read(folder).of(name).isEmpty()) {
                throw new NoSuchFileException("there is no volume " + name);
            }
            try (IndexWriter index = IndexWriter.open(folder)) {
                index.add(name, "");
            }
            FolderDraft.remove(volume);
            forceFolder(folder);
        } catch (IOException failed) {
            throw cannotWrite(folder, failed);
        }
    }

    private Path placeOf(String name) {
        Path volume = folder.resolve(name).normalize();
        if (!folder.normalize().equals(volume.getParent())) {
            throw new IllegalArgumentException("\"" + name + "\" is not the name of a volume.");
        }
        return volume;
    }

    /** Enters volumes of which the index knows nothing: a crash came between, or they are older than it. */
    void indexForgotten(IndexWriter index) throws IOException {
        for (Path volume : volumes()) {
            boolean forgotten = index.index().of(nameOf(volume)).isEmpty();
            if (forgotten && described(volume, index.index()).fault().isEmpty()) {
                index.add(nameOf(volume), Index.sealOf(volume));
            }
        }
    }

    /** Enters a volume, unless that is so already. */
    void index(String name, IndexWriter index) throws IOException {
        String seal = Index.sealOf(folder.resolve(name));
        if (index.index().of(name).filter(line -> line.seal().equals(seal)).isEmpty()) {
            index.add(name, seal);
        }
    }

    /** In the order of their names, which is that of their first events. */
    List<Path> volumes() throws IOException {
        List<Path> volumes = folders("[!.]*");
        volumes.removeIf(volume -> FILE_SYSTEMS_OWN.equals(nameOf(volume)));
        volumes.sort(Comparator.comparing(FolderArchive::nameOf));
        return volumes;
    }

    /** What a look at its names and its manifest tells. */
    Volume described(Path volume, Index index) throws IOException {
        String name = nameOf(volume);
        if (!Files.isDirectory(volume)) {
            return Volume.damaged(name, Optional.empty(), "the volume is missing");
        }
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
        if (bytes != manifest.get().bytes()) {
            return Volume.damaged(
                    name,
                    manifest,
                    EVENTS + " has " + bytes + " bytes instead of "
                            + manifest.get().bytes());
        }
        Optional<Index.Line> line = index.of(name).filter(known -> !known.isRemoved());
        return line.isEmpty() || line.get().seal().equals(Index.sealOf(volume))
                ? Volume.sound(name, manifest.get())
                : Volume.damaged(name, manifest, REPLACED + Index.FILE);
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

    static String nameOf(Path volume) {
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
