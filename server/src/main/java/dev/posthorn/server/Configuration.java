package dev.posthorn.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is set for a relay process, by whom, and what is wrong with it.
 *
 * <p>Options win over variables, those over the file, that over the profile, and that over the defaults.
 */
final class Configuration {

    private static final String TRANSPORTS = "transports";
    private static final String ROUTES = "routes";

    private final Map<List<String>, Given> values = new LinkedHashMap<>();
    private final List<Fault> faults = new ArrayList<>();

    private Configuration() {}

    static Configuration read(Path file, Map<String, String> environment, List<Given> options) {
        return of(ConfigFile.read(file), environment, options);
    }

    static Configuration of(ConfigFile file, Map<String, String> environment, List<Given> options) {
        ConfigVariables variables = ConfigVariables.read(environment, file.given());
        Configuration read = new Configuration();
        read.faults.addAll(file.faults());
        read.faults.addAll(variables.faults());
        List<Given> given = new ArrayList<>(file.given());
        given.addAll(variables.given());
        given.addAll(options);
        read.merge(given, environment);
        ConfigChecks.run(read, read.faults);
        return read;
    }

    List<Fault> faults() {
        return faults.stream()
                .distinct()
                .sorted(Comparator.comparing(Configuration::file).thenComparing(Configuration::line))
                .toList();
    }

    private static String file(Fault fault) {
        return fault.where().replaceFirst(":\\d+$", "");
    }

    private static int line(Fault fault) {
        String digits = fault.where().replaceFirst("^.*?(\\d*)$", "$1");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    /** The effective values, in the order of the reference. */
    Collection<Given> values() {
        return values.values();
    }

    Set<String> routes() {
        return names(ROUTES, values.keySet());
    }

    Set<String> transports() {
        return names(TRANSPORTS, values.keySet());
    }

    /** The names of the tokens. */
    Set<String> tokens() {
        Set<String> names = new LinkedHashSet<>();
        values.keySet().stream()
                .filter(key -> key.size() > 2 && key.subList(0, 2).equals(List.of("http", "tokens")))
                .forEach(key -> names.add(key.get(2)));
        return names;
    }

    Optional<Given> given(String... key) {
        return Optional.ofNullable(values.get(List.of(key)));
    }

    /** Whether somebody set it, rather than a default or a profile. */
    boolean isChosen(String... key) {
        return given(key)
                .filter(given -> given.origin().kind().compareTo(Origin.Kind.PROFILE) > 0)
                .isPresent();
    }

    Optional<String> text(String... key) {
        return given(key).map(Given::text);
    }

    String required(String... key) {
        return text(key).orElseThrow(() -> new IllegalStateException("nothing is set for " + String.join(".", key)));
    }

    Optional<Duration> time(String... key) {
        return text(key).map(Form::time);
    }

    Duration requiredTime(String... key) {
        return Form.time(required(key));
    }

    int number(String... key) {
        return Integer.parseInt(required(key));
    }

    boolean flag(String... key) {
        return Boolean.parseBoolean(required(key));
    }

    Set<String> items(String... key) {
        return given(key)
                .<Set<String>>map(given -> new LinkedHashSet<>(given.items()))
                .orElse(Set.of());
    }

    /** What is set below a key, by its last word. */
    Map<String, String> under(String... key) {
        List<String> parent = List.of(key);
        Map<String, String> found = new LinkedHashMap<>();
        values.forEach((path, given) -> {
            if (path.size() == parent.size() + 1
                    && path.subList(0, parent.size()).equals(parent)) {
                found.put(path.get(parent.size()), given.text());
            }
        });
        return found;
    }

    // ---- putting it together

    private void merge(List<Given> given, Map<String, String> environment) {
        @Nullable
        Profile profile = given.stream()
                .filter(one -> one.key().equals(List.of("profile")))
                .reduce((weaker, stronger) -> stronger)
                .flatMap(one -> Profile.named(one.text()))
                .orElse(null);
        Map<String, Set<String>> names = new LinkedHashMap<>();
        List<List<String>> keys = given.stream().map(Given::key).toList();
        names.put(ROUTES, names(ROUTES, keys));
        names.put(TRANSPORTS, names(TRANSPORTS, keys));
        List<Given> all = new ArrayList<>();
        if (profile != null) {
            all.addAll(fromProfile(profile, names));
        }
        given.stream().filter(one -> one.origin().kind() == Origin.Kind.FILE).forEach(all::add);
        all.addAll(fromAliases(profile, names, environment));
        given.stream().filter(one -> one.origin().kind() != Origin.Kind.FILE).forEach(all::add);
        all.forEach(this::check);
        Map<List<String>, Given> strongest = new LinkedHashMap<>();
        all.forEach(one -> strongest.put(one.key(), one));
        inOrder(strongest, names);
    }

    private static List<Given> fromProfile(Profile profile, Map<String, Set<String>> names) {
        Origin origin = Origin.profile(profile.name());
        List<Given> all = new ArrayList<>();
        if (ofSection(names, ROUTES).isEmpty()) {
            names.put(ROUTES, Set.of(Profile.MAIN));
            all.add(new Given(List.of(ROUTES, Profile.MAIN, "transport"), List.of(Profile.MAIN), origin));
        }
        if (ofSection(names, TRANSPORTS).isEmpty() && profile.knowsAddress()) {
            names.put(TRANSPORTS, Set.of(Profile.MAIN));
        }
        profile.defaults().forEach((path, value) -> all.addAll(expanded(path, value, origin, names)));
        return all;
    }

    private static List<Given> fromAliases(
            @Nullable Profile profile, Map<String, Set<String>> names, Map<String, String> environment) {
        List<Profile.Alias> aliases = new ArrayList<>(List.of(Profile.METRICS_TOKEN));
        if (profile != null) {
            aliases.addAll(profile.aliases());
        }
        List<Given> all = new ArrayList<>();
        for (Profile.Alias alias : aliases) {
            String value = environment.get(alias.variable());
            if (value != null && !alias.path().isEmpty()) {
                all.addAll(expanded(alias.path(), alias.valueOf(value), Origin.variable(alias.variable()), names));
            }
        }
        return all;
    }

    /** For a path with a star, one for each name that there is. */
    private static List<Given> expanded(String path, String value, Origin origin, Map<String, Set<String>> names) {
        Setting setting = Settings.ALL.stream()
                .filter(one -> one.path().equals(path))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no setting " + path));
        List<String> items = setting.form().list() ? Form.split(value) : List.of(value);
        if (!setting.isNamed()) {
            return List.of(new Given(setting.words(), items, origin));
        }
        return ofSection(names, setting.words().get(0)).stream()
                .map(name -> new Given(setting.keyOf(List.of(name)), items, origin))
                .toList();
    }

    private void check(Given given) {
        Setting setting = Objects.requireNonNull(Settings.of(given.key()).orElse(null), "only settings are read");
        for (String item : given.items()) {
            setting.form()
                    .faultOf(item)
                    .ifPresent(fault -> faults.add(Fault.of(
                            given, fault + ". Allowed is " + setting.form().allowed())));
        }
        if (given.items().isEmpty()) {
            faults.add(
                    Fault.of(given, "it is empty. Allowed is " + setting.form().allowed()));
        }
    }

    private void inOrder(Map<List<String>, Given> strongest, Map<String, Set<String>> names) {
        for (Setting setting : Settings.ALL) {
            List<Given> found = new ArrayList<>();
            boolean counted = setting.words().stream().filter("*"::equals).count() <= 1;
            if (!setting.standard().isEmpty() && counted) {
                found.addAll(expanded(setting.path(), setting.standard(), Origin.STANDARD, names));
            }
            strongest.values().stream()
                    .filter(given -> setting.matches(given.key()))
                    .forEach(found::add);
            found.forEach(given -> values.put(given.key(), given));
        }
    }

    private static Set<String> ofSection(Map<String, Set<String>> names, String section) {
        return names.getOrDefault(section, Set.of());
    }

    private static Set<String> names(String section, Collection<List<String>> keys) {
        Set<String> names = new LinkedHashSet<>();
        keys.stream()
                .filter(key -> key.size() > 1 && key.get(0).equals(section))
                .forEach(key -> names.add(key.get(1)));
        return names;
    }
}
