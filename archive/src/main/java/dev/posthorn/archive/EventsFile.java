package dev.posthorn.archive;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Reads the compressed events of a volume and counts what is there, in bounded memory. */
final class EventsFile {

    private static final int BUFFER = 64 * 1024;
    private static final int PROGRESS = 10_000;

    private EventsFile() {}

    /** What its manifest must be. An exception of I/O says that it can not be read to its end. */
    static Manifest read(Path file, LongConsumer progress) throws IOException {
        Tally tally = new Tally();
        try (InputStream raw = new Counted(Files.newInputStream(file), tally);
                InputStream lines = new GZIPInputStream(raw, BUFFER)) {
            count(lines, tally, progress);
            raw.transferTo(OutputStream.nullOutputStream()); // what follows the compressed part counts as well
        }
        return tally.manifest();
    }

    private static void count(InputStream lines, Tally tally, LongConsumer progress) throws IOException {
        byte[] buffer = new byte[BUFFER];
        byte[] head = new byte[EventLine.HEAD_BYTES];
        int inLine = 0;
        for (int read = lines.read(buffer); read >= 0; read = lines.read(buffer)) {
            for (int i = 0; i < read; i++) {
                if (buffer[i] == '\n') {
                    line(head, inLine, tally);
                    inLine = 0;
                    if (tally.events() % PROGRESS == 0) {
                        progress.accept(tally.events());
                    }
                } else if (inLine < head.length) {
                    head[inLine++] = buffer[i];
                }
            }
        }
        if (inLine > 0) {
            throw new ZipException("its last line has no end");
        }
    }

    private static void line(byte[] head, int length, Tally tally) throws IOException {
        Optional<EventLine.Head> found = EventLine.head(head, length);
        if (found.isEmpty()) {
            throw new ZipException("line " + (tally.events() + 1) + " is not an event");
        }
        tally.event(found.get().seq(), found.get().createdAt());
    }

    /** Tells the tally of every compressed byte that passes. */
    private static final class Counted extends FilterInputStream {

        private final Tally tally;

        Counted(InputStream in, Tally tally) {
            super(in);
            this.tally = tally;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, length);
            if (read > 0) {
                tally.bytes(into, offset, read);
            }
            return read;
        }
    }
}
