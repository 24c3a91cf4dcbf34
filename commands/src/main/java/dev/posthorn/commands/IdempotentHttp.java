package dev.posthorn.commands;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.event.Event;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Handles each request with an idempotency key once, and answers what was answered to whoever sends it again.
 *
 * <p>For any framework: give it the request, and send what it returns. The key is the header {@value #KEY}, quoted or not. It
 * counts for one operation and one tenant. A retry gets the stored status, headers and body; the same key with another method,
 * path or body gets 409, and so does a retry while the first is being handled, with Retry-After; a request without a key gets
 * 400. Thread-safe.
 *
 * @param <T> what the handler works in
 */
public final class IdempotentHttp<T> {

    public static final String KEY = "Idempotency-Key";

    private static final String DOMAIN = "http";
    private static final int SERVER_ERROR = 500;

    private final String operation;
    private final HttpHandler<T> handler;
    private final CommandStore commands;
    private final WorkflowStore<T> workflows;
    private final Duration lease;

    /**
     * One operation of an API.
     *
     * @param operation its stable name, such as create-order: letters, digits or . _ : / -
     * @param lease how long the handling may take before a retry takes its process for dead and handles it again
     */
    public IdempotentHttp(
            String operation,
            HttpHandler<T> handler,
            CommandStore commands,
            WorkflowStore<T> workflows,
            Duration lease) {
        this.operation = operation;
        this.handler = handler;
        this.commands = commands;
        this.workflows = workflows;
        this.lease = lease;
    }

    /** A response that is sent, but not stored. */
    private static final class NotStored extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient HttpResponse response;

        NotStored(HttpResponse response) {
            super("the status was " + response.status(), null, false, false);
            this.response = response;
        }
    }

    /**
     * The response, of now or of before.
     *
     * @throws CommandStoreException if it is not known what became of it; answer 503
     * @throws Exception what the handler threw; answer as for any request
     */
    public HttpResponse handle(HttpRequest request) throws Exception {
        Optional<String> key = request.header(KEY).map(IdempotentHttp::unquoted);
        if (key.isEmpty() || key.get().isBlank() || key.get().length() > Command.LONGEST_KEY) {
            return HttpResponse.problem(
                    400,
                    "This needs the header " + KEY + " with 1 to " + Command.LONGEST_KEY + " characters",
                    Map.of());
        }
        Event event = Event.of(DOMAIN, operation)
                .tenant(request.tenant().orElse(null))
                .payload(hash(request), "application/octet-stream")
                .build();
        CommandRunner<T> runner = new CommandRunner<>(
                CommandHandlers.<T>none().on(operation, DOMAIN + "/" + operation, handling(request)),
                commands,
                workflows,
                lease);
        try {
            return response(runner.answer(Command.of(event, key.get())));
        } catch (NotStored passing) {
            return passing.response;
        } catch (RunLostException lost) {
            return inFlight();
        }
    }

    private CommandHandler<T> handling(HttpRequest request) {
        return CommandHandler.single((command, transaction) -> {
            HttpResponse response = handler.handle(request, transaction);
            if (response.status() >= SERVER_ERROR) {
                throw new NotStored(response);
            }
            return response.stored();
        });
    }

    private static HttpResponse response(Answer answer) {
        return answer.reduce(new Answer.Cases<HttpResponse>() {
            @Override
            public HttpResponse done(UUID run, String result) {
                return HttpResponse.restored(result);
            }

            @Override
            public HttpResponse running(UUID run, int attempt, Duration left) {
                return inFlight();
            }

            @Override
            public HttpResponse failed(UUID run, int attempt, String error) {
                return inFlight(); // whoever claims one that failed runs it, so somebody else is about to
            }

            @Override
            public HttpResponse conflict(UUID run, String reason) {
                return HttpResponse.problem(409, "This " + KEY + " was used for another request", Map.of());
            }
        });
    }

    private static HttpResponse inFlight() {
        return HttpResponse.problem(
                409, "A request with this " + KEY + " is being handled", Map.of("Retry-After", List.of("1")));
    }

    /** The draft of the IETF has it as a quoted string; many send it bare. */
    private static String unquoted(String value) {
        String key = value.strip();
        return key.length() >= 2 && key.startsWith("\"") && key.endsWith("\"")
                ? key.substring(1, key.length() - 1)
                : key;
    }

    /** What makes two requests the same; the body itself is not kept. */
    private static byte[] hash(HttpRequest request) {
        MessageDigest sha256 = Command.sha256();
        sha256.update(request.method().getBytes(UTF_8));
        sha256.update((byte) 0);
        sha256.update(request.path().getBytes(UTF_8));
        sha256.update((byte) 0);
        return sha256.digest(request.body());
    }
}
