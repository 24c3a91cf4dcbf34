package dev.posthorn.console;

import dev.posthorn.privacy.Redaction;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * How much of payloads and headers is shown: all, or with values hidden. What is encrypted stays as it is: nothing in it can be
 * read.
 *
 * <p>Immutable and thread-safe.
 */
public final class Disclosure {

    /** All is shown. */
    public static final Disclosure WHOLE = new Disclosure(Optional.empty());

    private static final String ENCRYPTED = "application/vnd.posthorn.encrypted";
    private static final String JSON = "application/json";

    private final Optional<Redaction> redaction;

    private Disclosure(Optional<Redaction> redaction) {
        this.redaction = redaction;
    }

    /** With what this hides. */
    public static Disclosure hiding(Redaction redaction) {
        return new Disclosure(Optional.of(redaction));
    }

    boolean isWhole() {
        return redaction.isEmpty();
    }

    /** Headers, or what else has a name and a text. */
    Map<String, String> texts(Map<String, String> texts) {
        return redaction.map(hiding -> hiding.headers(texts)).orElse(texts);
    }

    /**
     * The bytes as they are shown: of JSON and of text with values hidden, of all else that might have some the size.
     *
     * @param contentType what they are said to be; what begins like JSON is taken for it in any case
     */
    byte[] bytes(byte[] payload, String contentType) {
        boolean looksLikeJson = looksLikeJson(payload);
        if (redaction.isEmpty() || payload.length == 0 || (contentType.equals(ENCRYPTED) && !looksLikeJson)) {
            return payload;
        }
        return redaction.get().text(payload, looksLikeJson ? JSON : contentType).getBytes(StandardCharsets.UTF_8);
    }

    private static boolean looksLikeJson(byte[] payload) {
        int at = 0;
        while (at < payload.length && Character.isWhitespace(payload[at])) {
            at++;
        }
        return at < payload.length && (payload[at] == '{' || payload[at] == '[');
    }
}
