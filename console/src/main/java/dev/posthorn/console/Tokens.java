package dev.posthorn.console;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Who may come in. Only hashes are kept, so whoever reads the configuration can not come in with it. Tokens are long and
 * random, so a plain SHA-256 serves: there is nothing to guess. Thread-safe.
 */
public final class Tokens {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,62}");
    private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");
    private static final int BYTES = 32;
    private static final String PREFIX = "posthorn_";

    /**
     * A token by its hash.
     *
     * @param name recorded with what is done with it
     * @param sha256 in hexadecimal digits
     */
    public record Token(String name, Role role, String sha256) {

        public Token {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "The name of a token has letters, digits and . _ @ - and at most 63 of them; this is \"" + name
                                + "\".");
            }
            if (!HASH.matcher(sha256).matches()) {
                throw new IllegalArgumentException("The hash of token " + name
                        + " is not a SHA-256 in 64 hexadecimal digits. Make one with: posthorn config token");
            }
        }

        private byte[] hash() {
            return HexFormat.of().parseHex(sha256);
        }
    }

    private final List<Token> all;
    private final boolean metricsPublic;

    private Tokens(List<Token> all, boolean metricsPublic) {
        this.all = List.copyOf(all);
        this.metricsPublic = metricsPublic;
    }

    /** With an empty list, only health is answered. */
    public static Tokens of(List<Token> tokens) {
        return new Tokens(tokens, false);
    }

    /** Returns the same tokens; metrics need one of them unless they are public. */
    public Tokens withPublicMetrics(boolean isPublic) {
        return new Tokens(all, isPublic);
    }

    boolean isMetricsPublic() {
        return metricsPublic;
    }

    /** Whose it is. Takes as long for one that is nearly right as for any other. */
    Optional<Caller> callerWith(String presented) {
        byte[] hash = sha256(presented);
        Optional<Caller> found = Optional.empty();
        for (Token token : all) {
            if (MessageDigest.isEqual(hash, token.hash())) {
                found = Optional.of(new Caller(token.name(), token.role()));
            }
        }
        return found;
    }

    /** A new one that nobody can guess. */
    public static String fresh() {
        return PREFIX + random(BYTES);
    }

    /** Returns so many random bytes as text that fits into a URL. */
    static String random(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** What is kept of a token, in hexadecimal digits. */
    public static String hashOf(String token) {
        return HexFormat.of().formatHex(sha256(token));
    }

    static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
