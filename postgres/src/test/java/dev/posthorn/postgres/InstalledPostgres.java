package dev.posthorn.postgres;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** The machine's own Postgres: a server, and the programs that the bundled one lacks. */
final class InstalledPostgres {

    private static final int NOBODY = 65534;

    private final Path folder;

    private InstalledPostgres(Path folder) {
        this.folder = folder;
    }

    /** Where none is installed the test is skipped, or fails with CI=true. */
    static InstalledPostgres find() {
        return EmbeddedPostgres.installed().stream()
                .filter(folder -> Files.isExecutable(folder.resolve("pg_dump")))
                .findFirst()
                .map(InstalledPostgres::new)
                .orElseGet(() -> {
                    String why = "no Postgres with pg_dump is installed on this machine";
                    if ("true".equals(System.getenv("CI"))) {
                        Assertions.fail(why);
                    }
                    System.out.println("Restoring a dump is not tested: " + why);
                    return Assumptions.abort(why);
                });
    }

    EmbeddedPostgres start() {
        return EmbeddedPostgres.builder()
                .binaries(folder)
                .unsafeFast()
                .setting("max_prepared_transactions", "64")
                .start();
    }

    /** The whole database, as a script. */
    Path dump(TestPostgres from, Path to) {
        run(from, "pg_dump", "--no-owner", "--file=" + to);
        return to;
    }

    void restore(Path script, TestPostgres into) {
        run(into, "psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--output=/dev/null", "--file=" + script);
    }

    private void run(TestPostgres database, String program, String... arguments) {
        var at = database.dataSource();
        List<String> command = new ArrayList<>(List.of(
                folder.resolve(program).toString(),
                "--host=127.0.0.1",
                "--port=" + at.getPortNumbers()[0],
                "--username=postgres",
                "--dbname=" + at.getDatabaseName()));
        command.addAll(List.of(arguments));
        run(new ProcessBuilder(command));
    }

    Path folder() {
        return folder;
    }

    /** Gives a folder to whom {@link #runIn} runs programs as. */
    void own(Path given) throws IOException {
        if (isRoot()) {
            Files.setAttribute(given, "unix:uid", NOBODY);
            Files.setAttribute(given, "unix:gid", NOBODY);
        }
    }

    /** Runs a program that refuses to be run by root. */
    void runIn(Path where, String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
        }
        command.add(folder.resolve(program).toString());
        command.addAll(List.of(arguments));
        run(new ProcessBuilder(command).directory(where.toFile()));
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Through a file: a server that a program leaves behind would keep a pipe open. */
    private static void run(ProcessBuilder command) {
        try {
            Path said = Files.createTempFile("said", ".txt");
            try {
                Process process = command.redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
                if (process.waitFor() != 0) {
                    throw new AssertionError(command.command() + " failed: " + Files.readString(said));
                }
            } finally {
                Files.delete(said);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError(stopped);
        }
    }
}
