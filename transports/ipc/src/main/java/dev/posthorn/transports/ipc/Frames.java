package dev.posthorn.transports.ipc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.event.Event;
import dev.posthorn.transport.EventMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The frames of the protocol as they are written; the README describes each. All numbers have the high byte first, a text is
 * its length in four bytes and then UTF-8.
 */
final class Frames {

    static final int MAGIC = 0x50_48_52_4E; // PHRN
    static final int VERSION = 1;
    /** Before the greeting nothing larger is read. */
    static final int LARGEST_HELLO = 64;

    /** From a process to a hub. */
    static final byte HELLO = 1;

    static final byte PUBLISH = 2;
    static final byte JOIN = 3;
    static final byte DONE = 4;
    static final byte REJECT = 5;
    static final byte BACK = 6;
    static final byte LEAVE = 7;

    /** Either way. */
    static final byte PING = 16;

    static final byte PONG = 17;

    /** From a hub to a process. */
    static final byte WELCOME = 33;

    static final byte ANSWER = 34;
    static final byte JOINED = 35;
    static final byte DELIVER = 36;
    static final byte BYE = 37;

    /** When a PUBLISH wants its answer. */
    static final byte ON_QUEUED = 0;

    static final byte ON_HANDLED = 1;

    /** What an answer says. */
    static final byte ACCEPTED = 0;

    static final byte NOBODY = 1;
    static final byte REFUSED = 2;
    static final byte UNAVAILABLE = 3;
    static final byte UNKNOWN = 4;

    private static final int LENGTH_AND_TYPE = Integer.BYTES + 1;
    private static final int NUMBERED = LENGTH_AND_TYPE + Long.BYTES;

    private Frames() {}

    private static ByteBuffer begin(byte type, int size) {
        return ByteBuffer.allocate(LENGTH_AND_TYPE + size).putInt(1 + size).put(type);
    }

    static ByteBuffer hello(long answerMillis) {
        return begin(HELLO, 9)
                .putInt(MAGIC)
                .put((byte) VERSION)
                .putInt((int) Math.min(answerMillis, Integer.MAX_VALUE))
                .flip();
    }

    static ByteBuffer welcome(int largestFrame) {
        return begin(WELCOME, 5).put((byte) VERSION).putInt(largestFrame).flip();
    }

    static ByteBuffer bare(byte type) {
        return begin(type, 0).flip();
    }

    static ByteBuffer numbered(byte type, long number) {
        return begin(type, Long.BYTES).putLong(number).flip();
    }

    /** Of REJECT. The headers stand at the end, where a hub that does not know them leaves them unread. */
    static ByteBuffer reject(long number, String reason, Map<String, String> about) {
        byte[] text = reason.getBytes(UTF_8);
        ByteBuffer more = headers(about);
        ByteBuffer frame = begin(REJECT, Long.BYTES + Integer.BYTES + text.length + more.remaining());
        return text(frame.putLong(number), text).put(more).flip();
    }

    static ByteBuffer answer(long number, byte outcome, String reason) {
        byte[] text = reason.getBytes(UTF_8);
        ByteBuffer frame = begin(ANSWER, Long.BYTES + 1 + Integer.BYTES + text.length);
        return text(frame.putLong(number).put(outcome), text).flip();
    }

    static ByteBuffer bye(String reason) {
        byte[] text = reason.getBytes(UTF_8);
        return text(begin(BYE, Integer.BYTES + text.length), text).flip();
    }

    static ByteBuffer join(String subscriber, Collection<String> domains, Collection<String> types, int prefetch) {
        List<byte[]> texts = new ArrayList<>();
        texts.add(subscriber.getBytes(UTF_8));
        domains.forEach(domain -> texts.add(domain.getBytes(UTF_8)));
        types.forEach(type -> texts.add(type.getBytes(UTF_8)));
        int size = texts.stream().mapToInt(text -> Integer.BYTES + text.length).sum();
        ByteBuffer frame = begin(JOIN, size + 3 * Integer.BYTES).putInt(prefetch);
        text(frame, texts.get(0)).putInt(domains.size());
        texts.subList(1, 1 + domains.size()).forEach(text -> text(frame, text));
        frame.putInt(types.size());
        texts.subList(1 + domains.size(), texts.size()).forEach(text -> text(frame, text));
        return frame.flip();
    }

    /** What stands before the message of a PUBLISH, which is so long. */
    static ByteBuffer publish(long number, Acceptance acceptance, int messageBytes) {
        return ByteBuffer.allocate(NUMBERED + 1)
                .putInt(NUMBERED + 1 - Integer.BYTES + messageBytes)
                .put(PUBLISH)
                .putLong(number)
                .put(acceptance == Acceptance.HANDLED ? ON_HANDLED : ON_QUEUED)
                .flip();
    }

    /** What stands before the message of a DELIVER, which is so long. */
    static ByteBuffer deliver(long number, int attempt, int messageBytes) {
        return ByteBuffer.allocate(NUMBERED + Integer.BYTES)
                .putInt(NUMBERED + messageBytes)
                .put(DELIVER)
                .putLong(number)
                .putInt(attempt)
                .flip();
    }

    /** The headers of a message; its payload follows them up to the end of the frame. */
    static ByteBuffer headers(Event event) {
        return headers(EventMessage.headersOf(event));
    }

    static ByteBuffer headers(Map<String, String> headers) {
        List<byte[]> texts = new ArrayList<>(2 * headers.size());
        int size = Integer.BYTES;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            byte[] name = header.getKey().getBytes(UTF_8);
            byte[] value = header.getValue().getBytes(UTF_8);
            texts.add(name);
            texts.add(value);
            size += 2 * Integer.BYTES + name.length + value.length;
        }
        ByteBuffer block = ByteBuffer.allocate(size).putInt(headers.size());
        texts.forEach(text -> text(block, text));
        return block.flip();
    }

    private static ByteBuffer text(ByteBuffer into, byte[] text) {
        return into.putInt(text.length).put(text);
    }
}
