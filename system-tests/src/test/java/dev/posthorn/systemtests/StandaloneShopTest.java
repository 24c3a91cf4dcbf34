package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Spring shop as an application of somebody's own: a copy of its folder with a pom that knows nothing of this build, on the
 * artifacts alone. So it is found out if one of them lacks a dependency or a file that only the reactor supplies.
 */
@Tag("slow")
class StandaloneShopTest {

    private static final Path EXAMPLE = Modules.root().resolve("examples/spring-shop");
    private static final int MINUTES = 15;

    /** What a run of Maven said. */
    private record Run(int code, String output) {

        boolean lacksDownloads() {
            return output.contains("offline mode") || output.contains("has not been downloaded from it before");
        }

        boolean isCutOff() {
            return output.contains("Unknown host") || output.contains("Could not transfer");
        }
    }

    @TempDir
    Path work;

    private Run maven(String... more) throws IOException, InterruptedException {
        Path log = work.resolve("log");
        List<String> command = new ArrayList<>(List.of(program()));
        command.addAll(List.of("-B", "--no-transfer-progress", "-f", "shop/pom.xml", "verify"));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command)
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as("an end").isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Run(process.exitValue(), Files.readString(log));
    }

    /** The wrapper if it works here, else the installed one. */
    private static String program() throws IOException, InterruptedException {
        String wrapper = Modules.root().resolve("mvnw").toString();
        Process process = new ProcessBuilder(wrapper, "--version")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor() == 0 ? wrapper : "mvn";
    }

    /** What this machine has downloaded for this build, as Surefire tells it. */
    private static Path sharedRepository() {
        return Optional.ofNullable(System.getProperty("localRepository"))
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".m2", "repository"));
    }

    private void copyExample() throws IOException {
        Path source = EXAMPLE.resolve("src");
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = work.resolve("shop/src").resolve(source.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        Files.copy(EXAMPLE.resolve("standalone-pom.xml"), work.resolve("shop/pom.xml"));
    }

    @Test
    void theShopIsBuiltAndKeepsItsPromisesOnTheArtifactsAlone() throws IOException, InterruptedException {
        copyExample();

        // When
        Run run;
        try (ArtifactRepository repository = ArtifactRepository.in(work.resolve("repository"), sharedRepository())) {
            String local = "-Dmaven.repo.local=" + repository.folder();
            run = maven(local, "--offline");
            if (run.code() != 0 && run.lacksDownloads()) {
                run = maven(local);
            }
        }

        // Then
        assumeTrue(
                run.code() == 0 || !run.isCutOff() || "true".equals(System.getenv("CI")),
                "Spring Boot's parent is not on this machine, and can not be downloaded");
        assertThat(run.code()).as(run.output()).isZero();
        assertThat(run.output())
                .contains("Running dev.posthorn.examples.springshop.ShopTest")
                .contains("Running dev.posthorn.examples.springshop.TwoInstancesTest")
                .contains("Tests run: 5, Failures: 0, Errors: 0, Skipped: 0");
    }
}
