package dev.posthorn.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One thing that can be set in the configuration of a relay process.
 *
 * @param path its key; a star stands for a name that the user chooses
 * @param standard the default, as it would be written; empty if there is none
 * @param about what it is, and what breaks if it is too low or too high
 * @param secret whether it is never shown
 */
record Setting(String path, Form form, String standard, String about, boolean secret) {

    static final String PREFIX = "POSTHORN_";
    private static final String NAME = "*";

    Setting(String path, Form form, String standard, String about) {
        this(path, form, standard, about, false);
    }

    List<String> words() {
        return List.of(path.split("\\.", -1));
    }

    boolean isNamed() {
        return words().contains(NAME);
    }

    /** Whether this is the setting of a key. */
    boolean matches(List<String> key) {
        return key.size() == words().size() && leadsTo(key);
    }

    /** Whether a key is this setting's, or the beginning of one. */
    boolean leadsTo(List<String> key) {
        List<String> own = words();
        if (key.size() > own.size()) {
            return false;
        }
        for (int i = 0; i < key.size(); i++) {
            if (!own.get(i).equals(NAME) && !own.get(i).equals(key.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Its variable, with NAME for what the user chooses. */
    String variable() {
        return PREFIX
                + words().stream().map(word -> word.equals(NAME) ? "NAME" : upper(word)).toList().stream()
                        .reduce((a, b) -> a + "_" + b)
                        .orElse("");
    }

    /** The names in a variable of this setting, none if it has none; empty if the variable is not this setting's. */
    Optional<List<String>> namesIn(String variable) {
        StringBuilder form = new StringBuilder(PREFIX);
        String between = "";
        for (String word : words()) {
            form.append(between).append(word.equals(NAME) ? "(.+?)" : Pattern.quote(upper(word)));
            between = "_";
        }
        Matcher matcher = Pattern.compile(form.toString()).matcher(variable);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= matcher.groupCount(); i++) {
            names.add(matcher.group(i));
        }
        return Optional.of(names);
    }

    /** The key with these names in place of the stars. */
    List<String> keyOf(List<String> names) {
        List<String> key = new ArrayList<>();
        int next = 0;
        for (String word : words()) {
            key.add(word.equals(NAME) ? names.get(next++) : word);
        }
        return key;
    }

    /** As a part of a variable's name. */
    static String upper(String word) {
        return word.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }
}
