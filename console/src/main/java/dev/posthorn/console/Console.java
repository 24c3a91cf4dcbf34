package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.Schema;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The admin API and its page, for any HTTP server: it takes a request and gives an answer.
 *
 * <p>Each answer is bounded in size, and in time by the limits of the connections it was opened with. Thread-safe.
 */
public final class Console implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Console.class);
    private static final int LONGEST_BODY = 1024 * 1024;

    private static final Map<String, String> SAFETY = Map.of(
            "Content-Security-Policy",
            "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "X-Frame-Options",
            "DENY",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Cache-Control",
            "no-store");

    private final Gate gate;
    private final Live live;
    private final List<Endpoint> endpoints;

    public Console(ConsoleSetup setup) {
        this.gate = new Gate(setup.tokens());
        this.live = new Live(setup);
        Once once = new Once(live);
        this.endpoints = Stream.of(
                        new ProcessEndpoints(setup, this::endpoints).all(),
                        new ReadEndpoints(setup, live).all(),
                        new ArchiveEndpoints(setup.facts().archive()).all(),
                        new SchemaEndpoints(live).all(),
                        new LiveEndpoints(live).all(),
                        new JobEndpoints(live, once).all(),
                        new DeadChanges(live, once).all(),
                        new StationChanges(live, once).all(),
                        new ReplayChanges(once).all(),
                        new LogChanges(setup, live, once).all())
                .flatMap(List::stream)
                .toList();
    }

    /** Begins to look and to work here; until then only what needs no database is answered. */
    public void open(DataSource database, Schema schema) {
        live.open(new Desk(database, schema));
    }

    @Override
    public void close() {
        live.close();
    }

    List<Endpoint> endpoints() {
        return endpoints;
    }

    /** Whether this is answered from memory, so that it need not wait for what is. */
    public boolean isQuick(Request request) {
        return !request.path().startsWith("/v1/")
                || request.path().startsWith("/v1/health")
                || request.path().equals("/v1/metrics");
    }

    /** The answer. Throws nothing. */
    public Answer answer(Request request) {
        Answer answer;
        try {
            answer = found(request);
        } catch (Refusal refused) {
            answer = refused.answer();
        } catch (PosthornException failed) {
            answer = Failures.answer(failed);
        } catch (Exception unexpected) {
            LOG.warn("{} {} was not answered", request.method(), request.path(), unexpected);
            answer = Answer.error(500, "unexpected", "Something went wrong here; see the log of the process.");
        }
        return safe(answer);
    }

    /** What a server answers when more ask at once than it takes. */
    public static Answer tooBusy() {
        return safe(Answer.error(429, "too-busy", "Too many ask at once. Ask again in a second.")
                .with("Retry-After", "1"));
    }

    /** What a server answers while it has no console: before the start, and at the end. */
    public static Answer away() {
        return safe(Answer.error(503, "away", "The console starts or ends. Ask again in a second.")
                .with("Retry-After", "1"));
    }

    private static Answer safe(Answer answer) {
        Answer safe = answer;
        for (Map.Entry<String, String> header : SAFETY.entrySet()) {
            safe = safe.with(header.getKey(), header.getValue());
        }
        return safe;
    }

    private Answer found(Request request) throws Exception {
        gate.check(request);
        Optional<Answer> page = request.isRead() ? Page.find(request.path()) : Optional.empty();
        if (page.isPresent()) {
            return page.get();
        }
        String method = request.isRead() ? "GET" : request.method();
        Set<String> others = new LinkedHashSet<>();
        for (Endpoint endpoint : endpoints) {
            Optional<Map<String, String>> variables = endpoint.match(request.path());
            if (variables.isPresent() && endpoint.method().equals(method)) {
                return called(endpoint, variables.get(), request);
            }
            variables.ifPresent(unused -> others.add(endpoint.method()));
        }
        if (others.isEmpty()) {
            throw Refusal.missing("There is nothing at this path. See /v1/openapi.json for what there is.");
        }
        return Answer.error(405, "wrong-method", "This path knows " + String.join(", ", others) + " only.")
                .with("Allow", String.join(", ", others));
    }

    private Answer called(Endpoint endpoint, Map<String, String> variables, Request request) throws Exception {
        Optional<Caller> caller = gate.callerOf(request);
        Right right = endpoint.right();
        if (right != null) {
            gate.require(caller, right);
        }
        ObjectNode body = endpoint.isChange() ? body(request) : Json.object();
        Call.Sent sent = new Call.Sent(request.path() + "?" + request.query(), request.header("Idempotency-Key"));
        return endpoint.handler().answer(new Call(caller, variables, Call.parse(request.query()), body, sent));
    }

    /** Read only after all else was checked, and never further than the limit. */
    private static ObjectNode body(Request request) throws IOException {
        String type = request.header("Content-Type").orElse("");
        if (!type.split(";", 2)[0].strip().equalsIgnoreCase(Answer.JSON)) {
            throw Refusal.of(415, "not-json", "Send the header Content-Type: application/json, and JSON.");
        }
        if (request.header("Content-Length").filter(Console::isTooLong).isPresent()) {
            throw tooLong();
        }
        byte[] bytes = request.body().readNBytes(LONGEST_BODY + 1);
        if (bytes.length > LONGEST_BODY) {
            throw tooLong();
        }
        return Json.parse(bytes)
                .orElseThrow(
                        () -> Refusal.invalid("The body is no JSON object. Send one, such as {\"reason\": \"…\"}."));
    }

    private static boolean isTooLong(String length) {
        try {
            return Long.parseLong(length.strip()) > LONGEST_BODY;
        } catch (NumberFormatException invalid) {
            return true;
        }
    }

    private static Refusal tooLong() {
        return Refusal.of(413, "too-long", "The body has more than " + LONGEST_BODY + " bytes. Send less.");
    }
}
