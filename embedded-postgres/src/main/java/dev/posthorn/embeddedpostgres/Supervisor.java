package dev.posthorn.embeddedpostgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The shell process between this one and the server; {@code supervise.sh} tells what it does.
 *
 * <p>It has a session of its own, so Ctrl-C in a terminal does not end the server before this process is done with it.
 */
final class Supervisor {

    /** Longer than the script's own patience. */
    private static final int PATIENCE_SECONDS = 30;

    private final Process shell;
    private final Path instance;

    private Supervisor(Process shell, Path instance) {
        this.shell = shell;
        this.instance = instance;
    }

    static Supervisor start(Path instance, List<String> server) throws IOException {
        List<String> command = new ArrayList<>();
        if (Command.exists("setsid")) {
            command.add("setsid");
        }
        command.addAll(List.of("sh", "-c", script(), "supervise", instance.toString()));
        command.addAll(server);
        Files.writeString(instance.resolve("running"), "\n");
        // Without its own output it cannot hold the pipes of this process open.
        Process shell = Command.prepare(command, Path.of("/"))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
        return new Supervisor(shell, instance);
    }

    /** Whether the server has not ended. */
    boolean serverRuns() {
        return shell.isAlive() && Files.exists(instance.resolve("running"));
    }

    /** Ends the server and waits for it; the folder goes with it unless it is to be kept. */
    void stop(StopMode mode, boolean keepFolder) throws IOException, InterruptedException {
        try (Writer orders = shell.outputWriter(StandardCharsets.US_ASCII)) {
            orders.write(mode.signal() + (keepFolder ? " keep\n" : " remove\n"));
        }
        if (!shell.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("The shell that watches the server did not end within " + PATIENCE_SECONDS + " s");
        }
    }

    private static String script() throws IOException {
        try (InputStream script = Supervisor.class.getResourceAsStream("supervise.sh")) {
            if (script == null) {
                throw new IOException("No supervise.sh on the class path");
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
