package dev.posthorn.server;

import dev.posthorn.console.Secrets;
import java.util.Objects;

/**
 * One thing that is wrong with a configuration.
 *
 * @param where the line of the file or the variable; empty if nothing was given where something has to be
 * @param key what it is about
 * @param value as it was given, without secrets; empty if there is none
 * @param what is wrong with it, and what is allowed
 */
record Fault(String where, String key, String value, String what) {

    Fault {
        value = shown(Objects.requireNonNull(value));
    }

    /** Of what could not be understood, anything before an @ may be a password. */
    private static String shown(String value) {
        String masked = Secrets.mask(value);
        int at = masked.lastIndexOf('@');
        return at < 0 || masked.contains(":***@") ? masked : "…" + masked.substring(at);
    }

    static Fault of(Given given, String what) {
        boolean secret = Settings.of(given.key()).map(Setting::secret).orElse(false);
        return new Fault(given.origin().where(), given.path(), secret ? "***" : given.text(), what);
    }

    static Fault missing(String key, String what) {
        return new Fault("", key, "", what);
    }

    @Override
    public String toString() {
        return (where.isEmpty() ? "" : where + ": ") + key + (value.isEmpty() ? "" : " = \"" + value + "\"") + ": "
                + what;
    }
}
