package dev.posthorn.embeddedbrokers;

import dev.posthorn.event.PosthornException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The emulator fauxqs, which speaks as Amazon SNS and SQS do, on a port of the loopback address, with its data in a folder of
 * its own.
 *
 * <p>Installed with npm when it is first started, with a Node.js of its own. It takes any credentials and checks no rights. Of
 * one message group it hands out one message at a time. What it recognises as repeated it forgets with a restart. Not
 * thread-safe.
 */
public final class EmbeddedSnsSqs implements AutoCloseable {

    private static final NodePackage PROGRAM = new NodePackage("fauxqs");
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private final int port = BrokerProcess.freePort();
    private final Path folder = BrokerProcess.newFolder("sns-sqs");
    private @Nullable BrokerProcess process;

    private EmbeddedSnsSqs() {}

    /** Why it can not be started on this machine, or empty if it can; the first start installs it. */
    public static Optional<String> obstacle() {
        return PROGRAM.obstacle();
    }

    public static EmbeddedSnsSqs start() {
        obstacle().ifPresent(why -> {
            throw new PosthornException("There is no emulator of SNS and SQS: " + why + ". Install npm and Node.js.");
        });
        EmbeddedSnsSqs broker = new EmbeddedSnsSqs();
        broker.startAgain();
        return broker;
    }

    /** For both services. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** The account to which everything there belongs. */
    public String account() {
        return "000000000000";
    }

    /** Starts it after {@link #stop} or {@link #kill}, at the same port with the same data. */
    public void startAgain() {
        List<String> command = new ArrayList<>(PROGRAM.command());
        command.addAll(List.of(Integer.toString(port), folder.resolve("data").toString()));
        BrokerProcess started = BrokerProcess.start("sns-sqs", folder, command, Map.of());
        started.awaitReady(this::answers);
        process = started;
    }

    private boolean answers() {
        try {
            HttpRequest health = HttpRequest.newBuilder(endpoint().resolve("/health"))
                    .timeout(ANSWER)
                    .build();
            return HttpClient.newHttpClient()
                            .send(health, HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** As by SIGTERM. */
    public void stop() {
        if (process != null) {
            process.stop();
        }
    }

    /** As by kill -9. What it has on disk stays. */
    public void kill() {
        if (process != null) {
            process.kill();
        }
    }

    /** Stands still without closing a connection. */
    public void freeze() {
        if (process != null) {
            process.freeze();
        }
    }

    public void thaw() {
        if (process != null) {
            process.thaw();
        }
    }

    /** Ends it and removes its folder. */
    @Override
    public void close() {
        kill();
        BrokerProcess.remove(folder);
    }
}
