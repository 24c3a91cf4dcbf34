package dev.posthorn.systemtests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The test methods of all modules, found in their sources; a class has those of its superclass, too. */
final class TestSources {

    private static final Pattern ANNOTATED = Pattern.compile("@(?:Test|ParameterizedTest|TestFactory|RepeatedTest)\\b");
    private static final Pattern METHOD = Pattern.compile("(?:\\bvoid|>)\\s+(\\w+)\\(");
    private static final Pattern SUPERCLASS = Pattern.compile("\\bclass (\\w+)(?:<[^{]*?>)? extends (\\w+)");

    private final Map<String, List<String>> texts = new HashMap<>();

    private TestSources() {}

    /** Reads the sources of every module; contracts are among those that are shipped. */
    static TestSources load() throws IOException {
        TestSources sources = new TestSources();
        for (Path module : Modules.all()) {
            sources.read(module.resolve("src/test/java"));
            sources.read(module.resolve("src/main/java"));
        }
        return sources;
    }

    private void read(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(this::add);
        }
    }

    private void add(Path file) {
        try {
            String name = String.valueOf(file.getFileName()).replace(".java", "");
            texts.computeIfAbsent(name, any -> new ArrayList<>()).add(Files.readString(file));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Whether a class of this name, or one that it extends, has this test. */
    boolean has(String type, String method) {
        for (String text : texts.getOrDefault(type, List.of())) {
            if (declares(text, method) || inherits(text, type, method)) {
                return true;
            }
        }
        return false;
    }

    private static boolean declares(String text, String method) {
        Matcher annotation = ANNOTATED.matcher(text);
        while (annotation.find()) {
            Matcher declared = METHOD.matcher(text);
            if (declared.find(annotation.end()) && declared.group(1).equals(method)) {
                return true;
            }
        }
        return false;
    }

    private boolean inherits(String text, String type, String method) {
        Matcher extended = SUPERCLASS.matcher(text);
        while (extended.find()) {
            if (extended.group(1).equals(type) && !extended.group(2).equals(type)) {
                return has(extended.group(2), method);
            }
        }
        return false;
    }
}
