package dev.posthorn.server;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;

/** A value as someone gave it: for which key, and where. */
record Given(List<String> key, List<String> items, Origin origin) {

    /** Those options of a command that stand for a key and were given. */
    static List<Given> options(CommandSpec command, Map<String, List<String>> keys) {
        return command.commandLine().getParseResult().matchedOptions().stream()
                .filter(option ->
                        !keys.getOrDefault(option.longestName(), List.of()).isEmpty())
                .map(option -> new Given(
                        Objects.requireNonNull(keys.get(option.longestName())),
                        List.of(option.originalStringValues().get(0)),
                        Origin.option(option.longestName())))
                .toList();
    }

    String text() {
        return String.join(",", items);
    }

    String path() {
        return path(key);
    }

    static String path(List<String> key) {
        return String.join(".", key);
    }
}
