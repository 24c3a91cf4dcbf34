package dev.posthorn.archive;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Reads a volume of a {@link FolderArchive}, a line at a time. */
final class FolderReader implements VolumeReader {

    private static final int BUFFER = 64 * 1024;

    private final Path file;
    private final InputStream in;
    private long lines;

    private FolderReader(Path file, InputStream in) {
        this.file = file;
        this.in = in;
    }

    static FolderReader open(Path file) throws IOException {
        InputStream raw = Files.newInputStream(file);
        try {
            return new FolderReader(file, new BufferedInputStream(new GZIPInputStream(raw, BUFFER), BUFFER));
        } catch (IOException failed) {
            raw.close();
            throw failed;
        }
    }

    @Override
    public Optional<ArchivedEvent> next() {
        try {
            String line = line();
            if (line.isEmpty()) {
                return Optional.empty();
            }
            lines++;
            return Optional.of(EventLine.parse(line));
        } catch (IOException | IllegalArgumentException | DateTimeException damaged) {
            throw new ArchiveException(
                    file + " can not be read after " + lines + " events: " + damaged.getMessage()
                            + ". See: posthorn archive verify.",
                    damaged);
        }
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                return line.toString(StandardCharsets.UTF_8);
            }
            line.write(next);
        }
        if (line.size() > 0) {
            throw new IOException("its last line has no end");
        }
        return "";
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException read) {
            // What was read was read.
        }
    }
}
