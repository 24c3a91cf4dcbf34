package dev.posthorn.embeddedpostgres;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM that runs {@link StartAndWait}. */
final class ChildJvm implements AutoCloseable {

    private final Process process;
    private final long serverPid;
    private final Path dataDirectory;

    private ChildJvm(Process process, long serverPid, Path dataDirectory) {
        this.process = process;
        this.serverPid = serverPid;
        this.dataDirectory = dataDirectory;
    }

    static ChildJvm start() throws IOException {
        return start(List.of(), System.getProperty("java.class.path"), List.of());
    }

    static ChildJvm start(List<String> prefix, String classPath, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, StartAndWait.class.getName()));
        Process process = new ProcessBuilder(command)
                .directory(new File("/"))
                .redirectError(Redirect.INHERIT)
                .start();
        BufferedReader output = process.inputReader();
        String line = output.readLine();
        if (line == null) {
            throw new IOException("The child JVM started no server; its error output is above");
        }
        String[] words = line.split(" ", 2);
        return new ChildJvm(process, Long.parseLong(words[0]), Path.of(words[1]));
    }

    long serverPid() {
        return serverPid;
    }

    Path dataDirectory() {
        return dataDirectory;
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
