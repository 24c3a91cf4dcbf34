package dev.posthorn.event;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The gate for every text that goes to the database. PostgreSQL stores no NUL character, and UTF-8 has no form for an unpaired
 * surrogate: the server refuses the first and aborts the whole transaction, the driver replaces the second by a question mark.
 *
 * <p>A remark is written for people: a reason, an error, a note. It is made storable and never refused, so that a reason cannot
 * stop the event it was given for. A name or value means something to programs: it is stored as it is or refused before the
 * database sees it. Stateless and thread-safe.
 */
public final class StorableText {

    /** The most characters of a remark, its ellipsis included. */
    public static final int LONGEST_REMARK = 4_000;

    /** The most bytes of a name in UTF-8; two of them fit into one entry of an index. */
    public static final int LONGEST_NAME = 1_000;

    /** The most characters of a value. */
    public static final int LONGEST_VALUE = 64 << 20;

    private static final char REPLACEMENT = '\uFFFD';
    private static final char ELLIPSIS = '…';
    private static final String NO_REMARK = "no reason was given";

    private StorableText() {}

    /**
     * Makes a text for people storable: NUL and unpaired surrogates become U+FFFD, and what is longer than {@link
     * #LONGEST_REMARK} ends in an ellipsis. Never throws; null becomes a text that says so.
     */
    public static String remark(@Nullable String text) {
        if (text == null) {
            return NO_REMARK;
        }
        if (text.length() <= LONGEST_REMARK) {
            return evidence(text);
        }
        int end = LONGEST_REMARK - 1;
        if (Character.isHighSurrogate(text.charAt(end - 1)) && Character.isLowSurrogate(text.charAt(end))) {
            end--;
        }
        return evidence(text.substring(0, end)) + ELLIPSIS;
    }

    /** The same without a limit, for what must be kept whole, such as a header of a message that could not be read. */
    public static String evidence(String text) {
        int bad = firstBad(text);
        if (bad < 0) {
            return text;
        }
        StringBuilder clean = new StringBuilder(text);
        for (int at = bad; at >= 0; at = firstBad(text, at + 1)) {
            clean.setCharAt(at, REPLACEMENT);
        }
        return clean.toString();
    }

    /**
     * Returns a text that identifies something, unchanged.
     *
     * @param field how users know it, such as {@code idempotency key}
     * @throws UnstorableTextException if it has a NUL character, an unpaired surrogate or more than {@link #LONGEST_NAME} bytes
     */
    public static String name(String field, String text) {
        value(field, text);
        if (text.length() > LONGEST_NAME / 4) {
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > LONGEST_NAME) {
                throw tooLong(field, text, bytes, LONGEST_NAME, "bytes in UTF-8");
            }
        }
        return text;
    }

    /**
     * Returns a value, unchanged.
     *
     * @param field how users know it, such as {@code result of the step}
     * @throws UnstorableTextException if it has a NUL character, an unpaired surrogate or more than {@link #LONGEST_VALUE}
     *     characters
     */
    public static String value(String field, String text) {
        if (text.length() > LONGEST_VALUE) {
            throw tooLong(field, text, text.length(), LONGEST_VALUE, "characters");
        }
        int bad = firstBad(text);
        if (bad >= 0) {
            String what = text.charAt(bad) == 0
                    ? "is NUL (U+0000), which PostgreSQL cannot store in a text"
                    : String.format(Locale.ROOT, "is an unpaired surrogate (U+%04X), which UTF-8 cannot encode", (int)
                            text.charAt(bad));
            throw new UnstorableTextException(
                    field, "has " + text.length() + " characters, and character " + (bad + 1) + " " + what);
        }
        return text;
    }

    /** Whether it can be stored as it is. */
    static boolean isStorable(String text) {
        return firstBad(text) < 0;
    }

    private static UnstorableTextException tooLong(String field, String text, int size, int limit, String unit) {
        return new UnstorableTextException(
                field,
                String.format(
                        Locale.ROOT,
                        "has %,d %s, but at most %,d are allowed; it begins with \"%s…\"",
                        size,
                        unit,
                        limit,
                        evidence(text.substring(0, 30))));
    }

    private static int firstBad(String text) {
        return firstBad(text, 0);
    }

    /** The first NUL or unpaired surrogate from there on, or -1. */
    private static int firstBad(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return i;
            }
            if (Character.isSurrogate(c)) {
                boolean paired = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!paired) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }
}
