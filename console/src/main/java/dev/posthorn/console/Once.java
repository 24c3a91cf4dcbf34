package dev.posthorn.console;

import dev.posthorn.commands.CommandStoreException;
import dev.posthorn.commands.HttpRequest;
import dev.posthorn.commands.HttpResponse;
import dev.posthorn.commands.IdempotentHttp;
import dev.posthorn.postgres.PostgresCommands;
import dev.posthorn.postgres.PostgresWorkflows;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Makes each change once for each idempotency key of a caller, in whatever process it is asked for; whoever asks again gets the
 * answer of before. A change that was refused is not kept, and may be asked for again.
 */
final class Once {

    private static final String OPERATION = "console";
    private static final Duration LEASE = Duration.ofSeconds(60);

    /** Each holds one connection while it needs another. */
    private static final int AT_A_TIME = 2;

    private static final int PATIENCE_SECONDS = 5;
    private static final String PROBLEM = "application/problem+json";

    /** Changes something. */
    @FunctionalInterface
    interface Change {

        /** Everything that it does at the desk is committed together with the answer, or not at all. */
        Answer make(Call call, Desk desk) throws Exception;
    }

    private final Live live;
    private final Semaphore turns = new Semaphore(AT_A_TIME, true);

    Once(Live live) {
        this.live = live;
    }

    /** A handler that makes this change. */
    Endpoint.Handler of(Change change) {
        return call -> make(call, change);
    }

    private Answer make(Call call, Change change) throws Exception {
        String unused = call.wish().reason(); // before anything is kept
        Desk desk = live.desk();
        if (!turns.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw Refusal.of(429, "too-busy", "Other changes are being made. Ask again in a second.");
        }
        try {
            IdempotentHttp<Connection> http = new IdempotentHttp<>(
                    OPERATION,
                    (request, transaction) -> stored(change.make(call, desk.within(transaction))),
                    new PostgresCommands(desk.database(), desk.schema()),
                    new PostgresWorkflows(desk.database(), desk.schema()),
                    LEASE);
            return answer(http.handle(request(call)));
        } catch (CommandStoreException unknown) {
            throw Refusal.of(
                    503,
                    "not-known",
                    "It is not known what became of it: " + Secrets.mask(String.valueOf(unknown.getMessage()))
                            + " Ask again with the same Idempotency-Key.");
        } finally {
            turns.release();
        }
    }

    private static HttpRequest request(Call call) {
        Map<String, String> headers =
                call.sent().key().map(key -> Map.of(IdempotentHttp.KEY, key)).orElse(Map.of());
        return new HttpRequest(
                "POST",
                call.sent().target(),
                Optional.of(call.who().name()),
                headers,
                Json.line(call.body()).getBytes(StandardCharsets.UTF_8));
    }

    private static HttpResponse stored(Answer answer) {
        if (!(answer.body() instanceof Answer.Whole whole)) {
            throw new IllegalStateException("a change is answered at once");
        }
        return new HttpResponse(
                answer.status(),
                Map.of("Content-Type", List.of(answer.headers().getOrDefault("Content-Type", Answer.JSON))),
                whole.bytes());
    }

    private static Answer answer(HttpResponse response) {
        String type =
                response.headers().getOrDefault("Content-Type", List.of("")).get(0);
        if (!type.equals(PROBLEM)) {
            return Answer.bytes(response.status(), type, response.body());
        }
        if (response.status() == 400) {
            return Answer.error(
                    400,
                    "no-idempotency-key",
                    "Send the header Idempotency-Key with something of your own, such as a UUID: the same for a retry,"
                            + " another for another change. Nothing was changed.");
        }
        return response.headers().containsKey("Retry-After")
                ? Answer.error(409, "in-flight", "The first request with this Idempotency-Key is still at it.")
                        .with("Retry-After", "1")
                : Answer.error(
                        409,
                        "key-used",
                        "This Idempotency-Key was used for another change. Take another one. Nothing was changed.");
    }
}
