package dev.posthorn.systemtests;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The modules of this build as they lie on disk, so that a new one is under the rules without being named anywhere.
 *
 * <p>Only what is shipped counts, not tests.
 */
final class Modules {

    private static final int DEEPEST = 3;

    private Modules() {}

    /** The folders of all modules, without the root. */
    static List<Path> all() throws IOException {
        try (Stream<Path> files = Files.walk(root(), DEEPEST)) {
            return files.filter(file -> file.endsWith("pom.xml"))
                    .map(pom -> Objects.requireNonNull(pom.getParent()))
                    .filter(module -> !module.equals(root()))
                    .sorted()
                    .toList();
        }
    }

    /** Those that have code to ship. */
    static List<Path> withCode() throws IOException {
        return all().stream()
                .filter(module -> Files.isDirectory(module.resolve("src/main/java")))
                .toList();
    }

    static JavaClasses classesOf(List<Path> modules) {
        return new ClassFileImporter()
                .importPaths(modules.stream()
                        .map(module -> module.resolve("target/classes"))
                        .toList());
    }

    /** Of the classes of all modules those of one: to import takes long. */
    static List<JavaClass> of(Path module, JavaClasses all) {
        String classes = module.resolve("target/classes").toUri().toString();
        return all.stream()
                .filter(one -> one.getSource()
                        .filter(source -> source.getUri().toString().startsWith(classes))
                        .isPresent())
                .toList();
    }

    static Path root() {
        return Objects.requireNonNull(
                Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent());
    }
}
