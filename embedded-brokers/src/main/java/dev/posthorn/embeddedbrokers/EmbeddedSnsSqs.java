package dev.posthorn.embeddedbrokers;

import dev.posthorn.event.PosthornException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The emulator fauxqs, which speaks as Amazon SNS and SQS do, on a port of the loopback address, with its data in a folder of
 * its own.
 *
 * <p>Installed with npm when it is first started, with a Node.js of its own. It takes any credentials and checks no rights. Of
 * one message group it hands out one message at a time. What it recognises as repeated it forgets with a restart. It speaks as
 * S3 does too, at the same endpoint, with objects in memory. Not thread-safe.
 */
public final class EmbeddedSnsSqs extends EmbeddedBroker {

    private static final NodePackage PROGRAM = new NodePackage("fauxqs");
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private final int port = BrokerProcess.freePort();

    private EmbeddedSnsSqs() {
        super("sns-sqs");
    }

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

    /** For all services. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** The account to which everything there belongs. */
    public String account() {
        return "000000000000";
    }

    @Override
    Launch launch() {
        List<String> command = new ArrayList<>(PROGRAM.command());
        command.addAll(List.of(Integer.toString(port), folder().resolve("data").toString()));
        return Launch.of(command);
    }

    @Override
    boolean answers() {
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
}
