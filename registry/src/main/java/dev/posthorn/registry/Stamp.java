package dev.posthorn.registry;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What an emit says of a payload that it has checked, so that a publish need not parse it again: by which contract, in the
 * upper half of a number, and how many bytes it has in the lower.
 *
 * <p>A statement and no signature: whoever can write into the log can also write it.
 *
 * <p>Of one contract. Immutable and thread-safe.
 */
final class Stamp {

    private final int contract;

    private Stamp(int contract) {
        this.contract = contract;
    }

    /** Of the contract with this identity. */
    static Stamp of(String identity) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(identity.getBytes(StandardCharsets.UTF_8));
            int half = ByteBuffer.wrap(hash).getInt();
            return new Stamp(half == 0 ? 1 : half); // without a byte it would be none
        } catch (NoSuchAlgorithmException impossible) { // every Java has it
            throw new PosthornException("This Java has no SHA-256; use another.", impossible);
        }
    }

    /** The event with it. */
    Event on(Event event) {
        return event.withStamp(of(event));
    }

    /** Whether the event has it, of this contract and for so many bytes. */
    boolean isOn(Event event) {
        return event.stamp() == of(event);
    }

    private long of(Event event) {
        return ((long) contract << Integer.SIZE) | event.payloadSize();
    }
}
