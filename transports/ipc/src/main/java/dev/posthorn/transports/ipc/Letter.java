package dev.posthorn.transports.ipc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.transport.EventMessage;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message as a hub has it: the bytes as they came, once for all subscribers, and what it needs to know of them.
 *
 * <p>Whether it is an event is not the hub's business; a subscriber finds out.
 */
@SuppressWarnings("ArrayRecordComponent") // passed on without a copy; letters are not compared
record Letter(byte[] bytes, String domain, String type, Optional<String> key) {

    /** Looks at every length, so that no subscriber meets a message that it can not take apart. */
    static Letter read(FrameReader frame) throws BadFrameException {
        byte[] bytes = frame.rest();
        FrameReader reader = new FrameReader(ByteBuffer.wrap(bytes));
        String domain = "";
        String type = "";
        @Nullable String key = null;
        int count = reader.count();
        for (int i = 0; i < count; i++) {
            String name = UTF_8.decode(reader.bytes()).toString();
            ByteBuffer value = reader.bytes();
            switch (name) {
                case EventMessage.DOMAIN -> domain = UTF_8.decode(value).toString();
                case EventMessage.TYPE -> type = UTF_8.decode(value).toString();
                case EventMessage.KEY -> key = UTF_8.decode(value).toString();
                default -> {}
            }
        }
        return new Letter(bytes, domain, type, Optional.ofNullable(key));
    }

    int size() {
        return bytes.length;
    }
}
