package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Json;
import dev.posthorn.event.PosthornException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Asks a process over HTTP. */
final class HttpAnswers implements Answers {

    private static final int OK = 200;
    private static final int MOST_OF_A_PAGE = 500;
    private static final int TRIES = 3;
    private static final String JOBS = "jobs";
    private static final Duration LOOK = Duration.ofMillis(250);

    /** Gets to know how far a job is. */
    @FunctionalInterface
    interface Progress {
        void reached(long done, long total);
    }

    private final URI place;
    private final Optional<String> token;
    private final Duration patience;
    private final Progress progress;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(10))
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    HttpAnswers(URI place, Optional<String> token, Duration patience, Progress progress) {
        this.place = place;
        this.token = token;
        this.patience = patience;
        this.progress = progress;
    }

    @Override
    public ObjectNode read(Ask ask, Look look) throws InterruptedException {
        return get(ask);
    }

    ObjectNode get(Ask ask) throws InterruptedException {
        return answer(request(ask).GET().build());
    }

    /** Page after page: one may be short, or empty, and still not be the last. */
    @Override
    public void list(Ask ask, Pages pages, LongLook look, Consumer<ObjectNode> each) throws InterruptedException {
        int left = pages.limit();
        Ask next = ask;
        while (left > 0) {
            ObjectNode page = get(next.with("limit", Math.min(left, MOST_OF_A_PAGE)));
            for (JsonNode item : page.path(pages.items())) {
                each.accept((ObjectNode) item);
                left--;
            }
            String cursor = page.path("next").textValue();
            if (cursor == null) {
                return;
            }
            next = ask.with(pages.cursor(), cursor);
        }
    }

    @Override
    public ObjectNode change(Ask ask, ObjectNode body, Look change) throws InterruptedException {
        if (body.path("reason").asText("").isBlank()) {
            throw new PosthornException(
                    "Why? What is changed with --url is recorded with a reason: give --reason. Nothing was changed.");
        }
        return followed(post(ask, body));
    }

    /** If the answer is lost it asks again; the key keeps the change from being made twice. */
    ObjectNode post(Ask ask, ObjectNode body) throws InterruptedException {
        HttpRequest request = request(ask)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .POST(BodyPublishers.ofString(Json.line(body)))
                .build();
        for (int tried = 1; ; tried++) {
            try {
                return answer(request);
            } catch (Unanswered lost) {
                if (tried == TRIES) {
                    throw lost;
                }
                Thread.sleep(200L * tried);
            }
        }
    }

    /** The answer, or what came of the job that it names. Whoever ends this command ends the job. */
    private ObjectNode followed(ObjectNode answer) throws InterruptedException {
        String id = answer.path("job").textValue();
        if (id == null) {
            return answer;
        }
        Thread onSignal = new Thread(() -> stop(id), "posthorn-stop");
        Runtime.getRuntime().addShutdownHook(onSignal);
        ObjectNode job = get(Ask.of(JOBS, id));
        while (job.path("state").asText().equals("running")) {
            progress.reached(job.path("count").asLong(), job.path("total").asLong());
            Thread.sleep(LOOK.toMillis());
            job = get(Ask.of(JOBS, id));
        }
        Runtime.getRuntime().removeShutdownHook(onSignal);
        if (job.path("result") instanceof ObjectNode result) {
            return result;
        }
        throw new PosthornException("It " + job.path("state").asText() + " after "
                + job.path("count").asText() + " of " + job.path("total").asText() + ": "
                + job.path("error").asText("no reason was told"));
    }

    private void stop(String job) {
        try {
            ObjectNode unused = post(Ask.of(JOBS, job, "stop"), Json.object().put("reason", "the command was ended"));
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is at a place, which may have a path of its own, such as that of a console in an application. */
    static URI below(URI place, String path) {
        return URI.create(place.toString().replaceFirst("/+$", "") + path);
    }

    private HttpRequest.Builder request(Ask ask) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(below(place, ask.text())).timeout(patience);
        token.ifPresent(bearer -> request.header("Authorization", "Bearer " + bearer));
        return request;
    }

    private ObjectNode answer(HttpRequest request) throws InterruptedException {
        try {
            HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
            Optional<ObjectNode> object = Json.parse(response.body());
            if (response.statusCode() < OK || response.statusCode() >= 300) {
                throw new PosthornException(refusal(response, object));
            }
            return object.orElseThrow(() -> new PosthornException(
                    "What answers at " + place + " is no Posthorn: it sent no JSON object. See --url."));
        } catch (IOException lost) {
            throw new Unanswered(
                    "Nobody answers at " + place + ": "
                            + (lost.getMessage() == null ? lost.getClass().getSimpleName() : lost.getMessage())
                            + ". See that a relay runs there with http.address.",
                    lost);
        }
    }

    private String refusal(HttpResponse<byte[]> response, Optional<ObjectNode> object) {
        String said = object.map(answer -> answer.path("error").textValue())
                .orElseGet(() -> new String(response.body(), StandardCharsets.UTF_8).strip());
        return switch (response.statusCode()) {
            case 401 -> place + " wants a token: give --token, or set POSTHORN_TOKEN. It said: " + said;
            case 403 -> "The token may not do that at " + place + ". It said: " + said;
            default -> said == null || said.isEmpty() ? place + " answered " + response.statusCode() : said;
        };
    }

    /** No answer came; whether something was done is not known. */
    private static final class Unanswered extends PosthornException {

        private static final long serialVersionUID = 1;

        Unanswered(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
