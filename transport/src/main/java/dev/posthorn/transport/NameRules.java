package dev.posthorn.transport;

import dev.posthorn.event.PosthornException;
import java.util.regex.Pattern;

/**
 * What a broker allows as a name, and how others are made to fit.
 *
 * @param broker for messages
 * @param foreign one character that is not allowed; each becomes a hyphen
 * @param shortest in characters
 * @param longest in characters
 * @param words what is allowed, for people
 */
public record NameRules(String broker, Pattern foreign, int shortest, int longest, String words) {

    /** The name as this broker takes it. Two that differ only in foreign characters become one. */
    public String fit(String name) {
        String fitted = foreign.matcher(name).replaceAll("-");
        if (fitted.length() < shortest || fitted.length() > longest) {
            throw new PosthornException("\"" + fitted + "\" can not be a name on " + broker + ": it has "
                    + fitted.length() + " characters, and there are " + shortest + " to " + longest + " allowed ("
                    + words + "). Choose a shorter prefix or another template.");
        }
        return fitted;
    }
}
