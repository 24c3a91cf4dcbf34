package dev.posthorn.archive;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The checksum of everything here. */
final class Sha256 {

    private Sha256() {}

    static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** In hexadecimal; the digest begins anew. */
    static String end(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    static String of(String text) {
        MessageDigest digest = begin();
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        return end(digest);
    }
}
