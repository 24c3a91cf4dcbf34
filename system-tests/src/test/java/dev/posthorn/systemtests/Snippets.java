package dev.posthorn.systemtests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The named regions of tests, of this module, of the transports and inboxes, and of the examples: what the documentation shows. */
final class Snippets {

    private static final Pattern START = Pattern.compile("\\s*(//|--) docs:start:([a-z0-9-]+)");

    private final Map<String, String> regions = new TreeMap<>();

    private Snippets() {}

    static Snippets load() {
        Snippets snippets = new Snippets();
        try {
            for (String place : List.of("system-tests/src/test", "transports", "inboxes", "examples")) {
                snippets.readFiles(Modules.root().resolve(place));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return snippets;
    }

    private void readFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Snippets::mayHaveRegions).toList()) {
                readRegions(Files.readAllLines(file));
            }
        }
    }

    private static boolean mayHaveRegions(Path file) {
        String name = file.toString();
        return (name.contains("/src/test/") || name.contains("/examples/"))
                && !name.contains("/target/")
                && (name.endsWith(".java") || name.endsWith(".sql"));
    }

    private void readRegions(List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            Matcher start = START.matcher(lines.get(i));
            if (start.matches()) {
                String name = start.group(2);
                int end = i + 1;
                while (!lines.get(end).strip().equals(start.group(1) + " docs:end:" + name)) {
                    end++;
                }
                if (regions.put(name, dedented(lines.subList(i + 1, end))) != null) {
                    throw new IllegalStateException("There are two snippets of the name " + name);
                }
            }
        }
    }

    private static String dedented(List<String> lines) {
        int indent = lines.stream()
                .filter(line -> !line.isBlank())
                .mapToInt(line -> line.length() - line.stripLeading().length())
                .min()
                .orElse(0);
        List<String> text = new ArrayList<>();
        lines.forEach(line -> text.add(line.isBlank() ? "" : line.substring(indent)));
        return text.stream().collect(Collectors.joining("\n"));
    }

    Map<String, String> all() {
        return Map.copyOf(regions);
    }

    String text(String name) {
        return Objects.requireNonNull(regions.get(name), () -> "There is no snippet " + name);
    }
}
