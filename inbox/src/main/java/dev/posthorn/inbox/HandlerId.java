package dev.posthorn.inbox;

import dev.posthorn.event.PosthornException;
import java.util.regex.Pattern;

/**
 * Whose effects happen once. Both names are stable: they outlive the process, and whoever changes one handles every event
 * that still comes once more.
 *
 * @param consumer the consumer's name
 * @param handler which of its handlers
 */
public record HandlerId(String consumer, String handler) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    public HandlerId {
        check("consumer", consumer);
        check("handler", handler);
    }

    private static void check(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new PosthornException("A " + what + "'s name has 1 to 100 letters, digits and . _ - and begins with a"
                    + " letter or digit, but this one is \"" + name + "\".");
        }
    }

    @Override
    public String toString() {
        return consumer + "/" + handler;
    }
}
