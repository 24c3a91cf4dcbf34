package dev.posthorn.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads settings from environment variables.
 *
 * <p>A name in a variable is one of the file's if it is the same but for case and punctuation; otherwise it is new, in small
 * letters, with a hyphen for each underscore, or a dot in names of client properties and event types.
 */
final class ConfigVariables {

    /** Kubernetes sets them in every pod for a service whose name begins with "posthorn". */
    private static final Pattern OF_KUBERNETES =
            Pattern.compile(".*_SERVICE_(HOST|PORT(_.*)?)|.*_PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?");

    private static final Set<String> DOTTED = Set.of("client", "retry-by-type");

    private final List<Given> given = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();

    static ConfigVariables read(Map<String, String> environment, Collection<Given> file) {
        ConfigVariables read = new ConfigVariables();
        new TreeMap<>(environment).forEach((variable, value) -> {
            if (variable.startsWith(Setting.PREFIX)) {
                read.add(variable, value, file);
            }
        });
        return read;
    }

    List<Given> given() {
        return given;
    }

    List<Fault> faults() {
        return faults;
    }

    private void add(String variable, String value, Collection<Given> file) {
        for (Setting setting : Settings.ALL) {
            Optional<List<String>> names = setting.namesIn(variable);
            if (names.isPresent()) {
                List<String> key = key(setting, names.get(), file);
                List<String> items = setting.form().list() ? Form.split(value) : List.of(value);
                given.add(new Given(key, items, Origin.variable(variable)));
                return;
            }
        }
        if (isMeantForUs(variable)) {
            faults.add(new Fault(variable, variable, "", unknown(variable)));
        }
    }

    /** Others may begin like ours; but not with one of our sections. */
    private static boolean isMeantForUs(String variable) {
        return !OF_KUBERNETES.matcher(variable).matches()
                && Settings.ALL.stream()
                        .filter(setting -> setting.words().size() > 1)
                        .map(setting ->
                                Setting.PREFIX + Setting.upper(setting.words().get(0)) + "_")
                        .anyMatch(variable::startsWith);
    }

    private static String unknown(String variable) {
        return Suggestions.nearest(
                        variable,
                        Settings.ALL.stream()
                                .filter(setting -> !setting.isNamed())
                                .map(Setting::variable)
                                .toList())
                .map(meant -> "no setting has this variable. Did you mean " + meant + "?")
                .orElse("no setting has this variable. See: posthorn config reference");
    }

    private static List<String> key(Setting setting, List<String> names, Collection<Given> file) {
        List<String> chosen = new ArrayList<>();
        for (String name : names) {
            List<String> soFar = setting.keyOf(padded(chosen, names.size()));
            int at = place(setting, chosen.size());
            chosen.add(file.stream()
                    .map(Given::key)
                    .filter(key -> key.size() > at && key.subList(0, at).equals(soFar.subList(0, at)))
                    .map(key -> key.get(at))
                    .filter(known -> Setting.upper(known).equals(name))
                    .findFirst()
                    .orElseGet(() -> fresh(setting.words().get(at - 1), name)));
        }
        return setting.keyOf(chosen);
    }

    private static List<String> padded(List<String> chosen, int size) {
        List<String> all = new ArrayList<>(chosen);
        while (all.size() < size) {
            all.add("");
        }
        return all;
    }

    /** Where in the key the n-th name stands. */
    private static int place(Setting setting, int n) {
        List<String> words = setting.words();
        int seen = 0;
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).equals("*") && seen++ == n) {
                return i;
            }
        }
        throw new IllegalArgumentException(setting.path() + " has no name number " + n);
    }

    /** Properties of clients and types of events have dots, routes and transports hyphens. */
    private static String fresh(String parent, String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', DOTTED.contains(parent) ? '.' : '-');
    }
}
