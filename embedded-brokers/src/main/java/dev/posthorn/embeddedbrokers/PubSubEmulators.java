package dev.posthorn.embeddedbrokers;

import dev.posthorn.event.PosthornException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Where the emulators of Pub/Sub are, and how the one that has to be built is. */
final class PubSubEmulators {

    private static final Path GO_PACKAGES = Path.of("/usr/share/gocode");
    private static final Path PSTEST = GO_PACKAGES.resolve("src/cloud.google.com/go/pubsub/pstest");

    private PubSubEmulators() {}

    /** Google's emulator, in the folder that the environment names or at a usual place. */
    static Optional<Path> jar() {
        return folders()
                .flatMap(folder -> Stream.of(folder, folder.resolve("platform/pubsub-emulator")))
                .map(folder -> folder.resolve("lib"))
                .filter(Files::isDirectory)
                .flatMap(PubSubEmulators::jars)
                .findFirst();
    }

    private static Stream<Path> jars(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files
                    .filter(file -> file.getFileName().toString().matches("cloud-pubsub-emulator.*\\.jar"))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException unreadable) {
            return Stream.empty();
        }
    }

    private static Stream<Path> folders() {
        List<Path> folders = new ArrayList<>();
        for (String variable : List.of(EmbeddedPubSub.FOLDER, "CLOUDSDK_ROOT_DIR")) {
            String value = System.getenv().getOrDefault(variable, "");
            if (!value.isBlank()) {
                folders.add(Path.of(value));
            }
        }
        for (String usual : List.of("/usr/lib", "/usr/share", "/opt", "/usr/local", System.getProperty("user.home"))) {
            folders.add(Path.of(usual, "google-cloud-sdk"));
        }
        folders.add(Path.of("/snap/google-cloud-cli/current"));
        return folders.stream();
    }

    /** Whether the other one is there, or can be built. */
    static boolean hasPstest() {
        return go().isPresent() && Files.isDirectory(PSTEST);
    }

    private static Optional<Path> go() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "go"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** What starts it, without the address. */
    static List<String> command(EmbeddedPubSub.Kind kind) {
        if (kind == EmbeddedPubSub.Kind.PSTEST) {
            return List.of(built().toString());
        }
        Path jar = jar().orElseThrow(
                        () -> new PosthornException("There is no emulator of Pub/Sub here. Install the Cloud"
                                + " SDK's pubsub-emulator and say where in " + EmbeddedPubSub.FOLDER
                                + ", or the packages golang-go and golang-google-cloud-dev."));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(java, "-Xmx512m", "-XX:TieredStopAtLevel=1", "-jar", jar.toString());
    }

    /** Kept for the next time, for it takes a while. */
    private static Path built() {
        Path program = Path.of(System.getProperty("java.io.tmpdir"), "posthorn-pstest-" + user(), "pstest");
        if (Files.isExecutable(program)) {
            return program;
        }
        Path folder = BrokerProcess.newFolder("pstest");
        try (InputStream source = PubSubEmulators.class.getResourceAsStream("pstest.go")) {
            Files.copy(java.util.Objects.requireNonNull(source), folder.resolve("main.go"));
            Path go = go().orElseThrow(() -> new PosthornException("There is no go to build pstest with."));
            ProcessBuilder build = new ProcessBuilder(go.toString(), "build", "-o", "pstest", "main.go")
                    .directory(folder.toFile())
                    .redirectErrorStream(true);
            build.environment()
                    .putAll(Map.of(
                            "GO111MODULE",
                            "off",
                            "GOPATH",
                            GO_PACKAGES.toString(),
                            "GOFLAGS",
                            "",
                            "GOCACHE",
                            folder.resolve("cache").toString()));
            Process running = build.start();
            String said = new String(running.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            if (running.waitFor() != 0) {
                throw new PosthornException("pstest can not be built: " + said);
            }
            Files.createDirectories(program.getParent());
            Files.move(folder.resolve("pstest"), program, StandardCopyOption.ATOMIC_MOVE);
            return program;
        } catch (IOException e) {
            throw new PosthornException("pstest can not be built: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PosthornException("Interrupted while pstest was built", e);
        } finally {
            BrokerProcess.remove(folder);
        }
    }

    /** Nobody starts what another user has put there. */
    private static String user() {
        return System.getProperty("user.name").replaceAll("[^A-Za-z0-9]", "_");
    }
}
