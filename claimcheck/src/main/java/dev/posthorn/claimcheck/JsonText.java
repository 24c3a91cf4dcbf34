package dev.posthorn.claimcheck;

import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of a JSON string, without its quotes. */
final class JsonText {

    private static final Pattern PLAIN = Pattern.compile("[^\"\\\\\\x00-\\x1f]*+");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|([\"\\\\/bfnrt]))");
    private static final String SHORT = "\"\\/bfnrt";
    private static final String MEANT = "\"\\/\b\f\n\r\t";

    private JsonText() {}

    /** Empty if it is not what may stand in a string. A loop: a pattern for all of it would need a deep stack. */
    static Optional<String> unescape(String text) {
        StringBuilder meant = new StringBuilder(text.length());
        Matcher plain = PLAIN.matcher(text);
        Matcher escape = ESCAPE.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (escape.region(at, text.length()).lookingAt()) {
                meant.append(meant(escape));
                at = escape.end();
            } else if (plain.region(at, text.length()).lookingAt() && plain.end() > at) {
                meant.append(plain.group());
                at = plain.end();
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(meant.toString());
    }

    private static char meant(MatchResult escape) {
        return escape.group(1) == null
                ? MEANT.charAt(SHORT.indexOf(escape.group(2)))
                : (char) Integer.parseInt(escape.group(1), 16);
    }
}
