package dev.posthorn.embeddedpostgres;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs a program of the machine. */
final class Command {

    private static final int PATIENCE_SECONDS = 120;

    private Command() {}

    /** Prepares a command with an environment that cannot change what Postgres does. */
    static ProcessBuilder prepare(List<String> command, Path directory) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        // PGDATA, PGPORT and the like would silently replace our settings.
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("LC_"));
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    /** Runs a command to its end; a failure is an exception with what it printed. */
    static void run(List<String> command, Path directory) throws IOException, InterruptedException {
        Path output = Files.createTempFile("posthorn-command", ".log");
        try {
            Process process = prepare(command, directory)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            process.getOutputStream().close();
            boolean ended = false;
            try {
                ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } finally {
                process.destroyForcibly();
            }
            if (!ended) {
                throw new IOException(command + " did not end within " + PATIENCE_SECONDS + " s:\n" + text(output));
            }
            if (process.exitValue() != 0) {
                throw new IOException(command + " ended with " + process.exitValue() + ":\n" + text(output));
            }
        } finally {
            Files.deleteIfExists(output);
        }
    }

    /** Whether a program of this name is on the PATH. */
    static boolean exists(String program) {
        return path().anyMatch(folder -> Files.isExecutable(folder.resolve(program)));
    }

    /** The folders of the PATH, in its order. */
    static Stream<Path> path() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of);
    }

    private static String text(Path output) throws IOException {
        return new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
    }
}
