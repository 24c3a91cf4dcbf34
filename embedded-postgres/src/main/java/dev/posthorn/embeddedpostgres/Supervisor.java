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
    private final Path ended;

    private Supervisor(Process shell, Path ended) {
        this.shell = shell;
        this.ended = ended;
    }

    static Supervisor start(Launch launch, List<String> server) throws IOException {
        List<String> command = new ArrayList<>();
        if (Command.exists("setsid")) {
            command.add("setsid");
        }
        command.addAll(List.of(
                "sh",
                "-c",
                script(),
                "supervise",
                launch.instance().toString(),
                launch.template().toString()));
        command.addAll(server);
        // Without its own output it cannot hold the pipes of this process open.
        Process shell = Command.prepare(command, Path.of("/"))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
        return new Supervisor(shell, launch.ended());
    }

    /** Whether the server has not ended. */
    boolean serverRuns() {
        return shell.isAlive() && !Files.exists(ended);
    }

    /** Ends the server and removes its folder, some time after this call. */
    void abandon() throws IOException {
        shell.getOutputStream().close();
    }

    /** Ends the server and waits for it; the folder goes with it unless it is to be kept. */
    void stop(StopMode mode, boolean keepFolder) throws IOException, InterruptedException {
        if (!shell.isAlive()) {
            return;
        }
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
