package dev.posthorn.claimcheck;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a payload is kept under: the SHA-256 of its bytes, as 64 hexadecimal digits in lower case.
 *
 * <p>There is no other key, so nothing that comes in a message can name a place of its own choice, and whoever fetches can
 * tell whether the bytes are the right ones.
 */
public record PayloadKey(String sha256) {

    private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");

    public PayloadKey {
        if (!FORM.matcher(sha256).matches()) {
            throw new IllegalArgumentException("A key is a SHA-256 as 64 hexadecimal digits in lower case.");
        }
    }

    /** The key of these bytes. */
    public static PayloadKey of(ByteBuffer content) {
        MessageDigest digest = begin();
        digest.update(content.duplicate());
        return new PayloadKey(HexFormat.of().formatHex(digest.digest()));
    }

    /** The key of these bytes. */
    public static PayloadKey of(byte[] content) {
        return of(ByteBuffer.wrap(content));
    }

    /** The key that this text is, or empty if it is none, such as the name of something else in the store. */
    public static Optional<PayloadKey> parse(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new PayloadKey(text)) : Optional.empty();
    }

    /** The 32 bytes that it stands for. */
    public byte[] bytes() {
        return HexFormat.of().parseHex(sha256);
    }

    private static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return sha256;
    }
}
