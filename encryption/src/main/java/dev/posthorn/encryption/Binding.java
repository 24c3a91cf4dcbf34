package dev.posthorn.encryption;

import dev.posthorn.event.Event;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a ciphertext belongs to, as associated data: a version, then each field with its length before it, so that no two
 * events have the same bytes.
 */
final class Binding {

    private static final String VERSION = "posthorn.payload.1";

    private Binding() {}

    /** The id, type and tenant of the event, and the content type of the plaintext. */
    static byte[] of(Event event, String contentType) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            for (String field : List.of(VERSION, event.id().toString(), event.type(), contentType)) {
                write(out, field);
            }
            if (event.tenant().isPresent()) {
                write(out, event.tenant().get());
            }
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, String field) throws IOException {
        byte[] text = field.getBytes(StandardCharsets.UTF_8);
        out.writeInt(text.length);
        out.write(text);
    }
}
