package dev.posthorn.transports.ipc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.transport.Message;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Reads the fields of a frame, and trusts none of its numbers. */
final class FrameReader {

    private static final int MOST_HEADERS = 10_000;

    private final ByteBuffer frame;

    FrameReader(ByteBuffer frame) {
        this.frame = frame;
    }

    byte number1() throws BadFrameException {
        need(1);
        return frame.get();
    }

    int number4() throws BadFrameException {
        need(Integer.BYTES);
        return frame.getInt();
    }

    long number8() throws BadFrameException {
        need(Long.BYTES);
        return frame.getLong();
    }

    Acceptance acceptance() throws BadFrameException {
        byte code = number1();
        return switch (code) {
            case Frames.ON_QUEUED -> Acceptance.QUEUED;
            case Frames.ON_HANDLED -> Acceptance.HANDLED;
            default -> throw new BadFrameException("there is no acceptance " + code);
        };
    }

    /** Only text that is UTF-8. */
    String text() throws BadFrameException {
        try {
            return UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(bytes())
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw new BadFrameException("a text is not UTF-8");
        }
    }

    Set<String> texts() throws BadFrameException {
        int count = count();
        Set<String> all = new LinkedHashSet<>();
        for (int i = 0; i < count; i++) {
            all.add(text());
        }
        return all;
    }

    /** Of headers or texts; each takes at least its length, so the frame bounds them. */
    int count() throws BadFrameException {
        int count = number4();
        if (count < 0 || count > MOST_HEADERS || (long) count * Integer.BYTES > frame.remaining()) {
            throw new BadFrameException(Integer.toUnsignedString(count) + " texts were announced");
        }
        return count;
    }

    /** A view of the bytes of a text. */
    ByteBuffer bytes() throws BadFrameException {
        int length = number4();
        need(length);
        ByteBuffer bytes = frame.slice(frame.position(), length);
        frame.position(frame.position() + length);
        return bytes;
    }

    /** A copy of everything that is left. */
    byte[] rest() {
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }

    /** Headers and payload. Where a header is not UTF-8 it is read as well as it can be. */
    Message message() throws BadFrameException {
        int count = count();
        Map<String, String> headers = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String name = UTF_8.decode(bytes()).toString();
            headers.put(name, UTF_8.decode(bytes()).toString());
        }
        return new Message(headers, rest());
    }

    /** Headers at the end of a frame; none if the sender does not know them. */
    Map<String, String> moreHeaders() throws BadFrameException {
        return frame.hasRemaining() ? message().headers() : Map.of();
    }

    void end() throws BadFrameException {
        if (frame.hasRemaining()) {
            throw new BadFrameException(frame.remaining() + " bytes are too many in a frame");
        }
    }

    private void need(int bytes) throws BadFrameException {
        if (bytes < 0 || bytes > frame.remaining()) {
            throw new BadFrameException("a frame ends before " + Integer.toUnsignedString(bytes) + " bytes of a field");
        }
    }
}
