package dev.posthorn.server;

import dev.posthorn.console.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "healthcheck",
        description = "Asks a relay process how it is, for probes and containers that have no curl.",
        exitCodeList = {
            "0:it is well; degraded counts as well, for it mends itself",
            "1:it is not, or does not answer",
            "2:it was asked for in a way that makes no sense"
        },
        footer = {"  posthorn healthcheck", "  posthorn healthcheck --url http://10.0.0.7:8025 --probe live"})
final class HealthcheckCommand implements Callable<Integer> {

    private static final int OK = 200;

    enum Probe {
        LIVE,
        READY
    }

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8025",
            description = "Where it answers, see http.address. Default: ${DEFAULT-VALUE}.")
    private URI url = URI.create("http://127.0.0.1:8025");

    @Option(
            names = "--probe",
            paramLabel = "WHAT",
            defaultValue = "ready",
            description =
                    "live: whether only a restart helps; ready: whether it can do its work. Default: ${DEFAULT-VALUE}.")
    private Probe probe = Probe.READY;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "5s",
            description = "How long to wait for an answer. Default: ${DEFAULT-VALUE}.")
    private Duration wait = Duration.ofSeconds(5);

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() throws InterruptedException {
        URI asked = HttpAnswers.below(url, "/v1/health/" + probe.name().toLowerCase(Locale.ROOT));
        @Nullable String trouble = null;
        String word = "unreachable";
        int code = 0;
        try {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(asked).timeout(wait).build(), HttpResponse.BodyHandlers.ofString());
            code = answer.statusCode();
            word = Json.text(answer.body(), "status").orElse("unknown");
        } catch (IOException unreachable) {
            trouble = String.valueOf(unreachable.getMessage() == null ? unreachable : unreachable.getMessage());
        }
        String told = word;
        String why = trouble;
        boolean well = code == OK;
        output.print(
                () -> Json.object().put("ok", well).put("status", told).put("error", why),
                () -> told + (why == null ? "" : ": nobody answers at " + asked + ": " + why));
        return well ? 0 : 1;
    }
}
