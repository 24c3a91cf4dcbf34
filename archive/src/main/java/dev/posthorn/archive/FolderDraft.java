package dev.posthorn.archive;

import dev.posthorn.archive.FolderArchive.Step;
import dev.posthorn.archive.FolderArchive.Steps;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** A volume under its hidden name, until it is known to be right. Not thread-safe. */
final class FolderDraft implements Draft {

    private static final int BUFFER = 64 * 1024;

    private final FolderArchive archive;
    private final Path folder;
    private final Path draft;
    private final Steps steps;
    private final Tally written = new Tally();
    private final FileChannel file;
    private final OutputStream lines;

    private FolderDraft(FolderArchive archive, Path draft, Steps steps) throws IOException {
        this.archive = archive;
        this.folder = archive.folder();
        this.draft = draft;
        this.steps = steps;
        this.file = FileChannel.open(
                draft.resolve(FolderArchive.EVENTS), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        this.lines = new GZIPOutputStream(new Counted(Channels.newOutputStream(file), written), BUFFER);
    }

    static FolderDraft begin(FolderArchive archive, Steps steps) throws IOException {
        Path folder = archive.folder();
        boolean knowsUsers =
                folder.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] mine = knowsUsers
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
        Path draft = Files.createDirectory(folder.resolve(FolderArchive.DRAFT + UUID.randomUUID()), mine);
        try {
            FolderDraft begun = new FolderDraft(archive, draft, steps);
            steps.reached(Step.BEGUN);
            return begun;
        } catch (IOException failed) {
            remove(draft);
            throw failed;
        }
    }

    @Override
    public void add(ArchivedEvent event) {
        try {
            EventLine.write(event, lines);
            written.event(event.place().seq(), event.place().createdAt());
            steps.reached(Step.EVENT_ADDED);
        } catch (IOException failed) {
            throw FolderArchive.cannotWrite(folder, failed);
        }
    }

    @Override
    public Volume finish() {
        try {
            lines.close();
            return shown(readBack());
        } catch (IOException failed) {
            throw FolderArchive.cannotWrite(folder, failed);
        }
    }

    /** The manifest, if the file on disk is what was written. */
    private Manifest readBack() throws IOException {
        Path events = draft.resolve(FolderArchive.EVENTS);
        force(events);
        steps.reached(Step.EVENTS_FORCED);
        Manifest expected = written.manifest();
        String differences = EventsFile.read(events, count -> {}).differencesFrom(expected);
        if (!differences.isEmpty()) {
            throw new IOException("what was written reads back with " + differences);
        }
        steps.reached(Step.EVENTS_READ_BACK);
        return expected;
    }

    private Volume shown(Manifest manifest) throws IOException {
        String name = manifest.volumeName();
        try (IndexWriter index = IndexWriter.open(folder)) {
            archive.indexForgotten(index);
            steps.reached(Step.INDEX_OPENED);
            if (Files.exists(folder.resolve(name))) {
                requireTheSame(manifest);
            } else {
                write(FolderArchive.MANIFEST, manifest.toJson());
                Optional<Index.Line> previous = index.index().newest();
                if (previous.isPresent()) {
                    write(Index.PREVIOUS, previous.get().text());
                }
                FolderArchive.forceFolder(draft);
                steps.reached(Step.MANIFEST_FORCED);
                Files.move(draft, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            }
            steps.reached(Step.RENAMED);
            FolderArchive.forceFolder(folder);
            steps.reached(Step.FOLDER_FORCED);
            archive.index(name, index);
            steps.reached(Step.INDEXED);
        }
        return Volume.sound(name, manifest);
    }

    private void write(String name, String text) throws IOException {
        Path place = draft.resolve(name);
        try (FileChannel out = FileChannel.open(place, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer rest = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (rest.hasRemaining()) {
                out.write(rest);
            }
            out.force(true);
        }
    }

    /** The same events were archived before and could not be removed then. */
    private void requireTheSame(Manifest manifest) throws IOException {
        Volume there = archive.verify(manifest.volumeName(), count -> {});
        if (there.fault().isPresent()) {
            throw new IOException("the volume " + there.name() + " is there already, and "
                    + there.fault().get() + "; move it away");
        }
    }

    private static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** What can not be removed is left; a later draft finds it. */
    @Override
    public void close() {
        try {
            steps.reached(Step.CLOSING);
            file.close();
            remove(draft);
        } catch (IOException left) {
            // It has a hidden name, and nobody takes it for a volume.
        }
    }

    static void remove(Path draft) throws IOException {
        if (!Files.exists(draft)) {
            return;
        }
        try (Stream<Path> files = Files.list(draft)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(draft);
    }

    /** Tells the tally of every compressed byte. */
    private static final class Counted extends FilterOutputStream {

        private final Tally tally;

        Counted(OutputStream out, Tally tally) {
            super(out);
            this.tally = tally;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
            tally.bytes(bytes, offset, length);
        }
    }
}
