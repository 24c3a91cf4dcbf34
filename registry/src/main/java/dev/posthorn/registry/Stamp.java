package dev.posthorn.registry;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * What an emit says of a payload that it has checked, so that a publish need not parse it again: by which contract, and the
 * checksum of the bytes.
 *
 * <p>A statement and no signature: whoever can write into the log can also write it.
 *
 * <p>Of one contract. Immutable and thread-safe.
 */
final class Stamp {

    static final String HEADER = "contract-stamp";

    /** Sixteen letters and no digit: a number might look like one of a card or an account, and a guard may look at headers. */
    private static final String LETTERS = "abcdefghijklmnop";

    private static final int CHECKSUM_LETTERS = 2 * Integer.BYTES;

    /** The contract, in letters; those of the checksum stand behind it. */
    private final String contract;

    private Stamp(String contract) {
        this.contract = contract;
    }

    /** Of the contract with this identity. */
    static Stamp of(String identity) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(identity.getBytes(StandardCharsets.UTF_8));
            StringBuilder letters = new StringBuilder();
            for (int i = 0; i < Long.BYTES; i++) {
                letters.append(LETTERS.charAt((hash[i] >> 4) & 15)).append(LETTERS.charAt(hash[i] & 15));
            }
            return new Stamp(letters.toString());
        } catch (NoSuchAlgorithmException impossible) { // every Java has it
            throw new PosthornException("This Java has no SHA-256; use another.", impossible);
        }
    }

    /** The event with it. */
    Event on(Event event) {
        int checksum = event.payloadChecksum();
        StringBuilder text = new StringBuilder(contract);
        for (int shift = Integer.SIZE - 4; shift >= 0; shift -= 4) {
            text.append(LETTERS.charAt((checksum >>> shift) & 15));
        }
        return event.withHeader(HEADER, text.toString());
    }

    /** The event without any. */
    static Event off(Event event) {
        return event.headers().isEmpty() ? event : event.withoutHeader(HEADER);
    }

    /** Whether the event has it, of this contract and for these bytes. */
    boolean isOn(Event event) {
        @Nullable
        String text = event.headers().isEmpty() ? null : event.headers().get(HEADER);
        if (text == null || text.length() != contract.length() + CHECKSUM_LETTERS || !text.startsWith(contract)) {
            return false;
        }
        int checksum = event.payloadChecksum();
        for (int i = contract.length(); i < text.length(); i++) {
            if (text.charAt(i) != LETTERS.charAt(checksum >>> (Integer.SIZE - 4))) {
                return false;
            }
            checksum <<= 4;
        }
        return true;
    }
}
