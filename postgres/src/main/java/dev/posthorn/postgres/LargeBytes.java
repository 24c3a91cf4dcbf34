package dev.posthorn.postgres;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/** A payload or a body that is read in parts, so that its size costs no memory here. Thread-safe. */
public final class LargeBytes {

    private static final int PART = 1024 * 1024;

    private final Looks looks;
    private final String statement;
    private final UUID id;

    @SuppressWarnings("ArrayRecordComponent") // read once; never compared
    private record Part(long size, byte[] bytes) {}

    LargeBytes(Looks looks, String statement, UUID id) {
        this.looks = looks;
        this.statement = statement;
        this.id = id;
    }

    /** Empty if there is nothing of this id. */
    public OptionalLong size() {
        List<Part> found = part(1, 0);
        return found.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(found.get(0).size());
    }

    /** Writes all of it. Throws if it was removed meanwhile. */
    public void writeTo(OutputStream out) throws IOException {
        long written = 0;
        long size = size().orElse(0);
        while (written < size) {
            List<Part> found = part(written + 1, PART);
            if (found.isEmpty() || found.get(0).bytes().length == 0) {
                throw new IOException(
                        "What is read was removed meanwhile, after " + written + " of " + size + " bytes");
            }
            out.write(found.get(0).bytes());
            written += found.get(0).bytes().length;
        }
    }

    private List<Part> part(long from, int length) {
        return looks.query(
                statement,
                bind -> bind.value((int) from).value(length).value(id),
                row -> new Part(
                        row.getLong("size"), row.getBytes("part") == null ? new byte[0] : row.getBytes("part")));
    }
}
