package dev.posthorn.postgres;

import dev.posthorn.event.StorableText;
import java.nio.charset.StandardCharsets;

/** The one place where a name becomes part of a statement. */
final class Identifiers {

    /** What Postgres keeps of a name; it cuts longer ones silently, so two could become one. */
    private static final int MAX_BYTES = 63;

    private Identifiers() {}

    /** The name as a quoted identifier that can mean nothing else. */
    static String quote(String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > MAX_BYTES) {
            throw new IllegalArgumentException("The name \"" + name + "\" has " + bytes
                    + " bytes; Postgres allows 1 to " + MAX_BYTES + ". Choose another name.");
        }
        if (name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "A name contains NUL, which Postgres does not allow. Choose another name.");
        }
        StorableText.value("a name in SQL", name);
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
