package dev.posthorn.systemtests;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A main class of this class path in a JVM of its own, which a test treats badly. */
final class JavaProcess implements AutoCloseable {

    private final Process process;
    private final Path errors;
    private final BufferedReader output;

    private JavaProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.output = process.inputReader();
    }

    /** What it writes to standard error goes to that file. */
    static JavaProcess start(Path errors, String mainClass, List<String> args) {
        return start(errors, mainClass, args, Map.of());
    }

    /** The same with these variables in its environment. */
    static JavaProcess start(Path errors, String mainClass, List<String> args, Map<String, String> environment) {
        return start(errors, "-Xmx256m", mainClass, args, environment);
    }

    /** The same with so little memory, as an option of the JVM. */
    static JavaProcess start(
            Path errors, String heap, String mainClass, List<String> args, Map<String, String> environment) {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                heap,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass));
        command.addAll(args);
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.appendTo(errors.toFile()));
            builder.environment().putAll(environment);
            return new JavaProcess(builder.start(), errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** The next line of its standard output; fails if there is none. */
    String readLine() {
        try {
            String line = output.readLine();
            if (line == null) {
                throw new AssertionError("The process ended early: " + log());
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The rest of its standard output, until it ends. */
    List<String> readRest() {
        return output.lines().toList();
    }

    String log() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            return "(no log: " + e + ")";
        }
    }

    void terminate() {
        signal("TERM");
    }

    /** At once and without a chance to react. */
    void kill() {
        signal("KILL");
    }

    void freeze() {
        signal("STOP");
    }

    void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                    .redirectErrorStream(true)
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("kill -" + name + " " + pid() + " answered " + code + ": " + log());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Its exit code. */
    int awaitExit(Duration patience) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("Still running after " + patience + ": " + log());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
